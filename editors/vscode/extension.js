// Starts robots lsp for files of the language robots-txt.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const settings = workspace.getConfiguration("robots-txt");
  const server = { command: settings.get("path"), args: ["lsp", ...settings.get("arguments")] };
  client = new LanguageClient("robots-txt", "robots.txt", server, { documentSelector: [{ language: "robots-txt" }] });
  return client.start();
};

exports.deactivate = () => client?.stop();
