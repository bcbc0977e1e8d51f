// How the modules are found: beside this file, in a folder or on a web host.

/**
 * Compiles a module of this package. The caller writes the address as
 * new URL("./engine.wasm", import.meta.url), the form that bundlers recognise: they include
 * a file for each such expression in the code that a program imports.
 */
export async function compile(url: URL): Promise<WebAssembly.Module> {
  if (url.protocol === "file:") {
    return WebAssembly.compile(await read(url));
  }
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${url} cannot be loaded: status ${response.status}`);
  }
  if (response.headers.get("content-type")?.startsWith("application/wasm")) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Reads a file, in Node, Deno and Bun, where fetch may not do it. */
async function read(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  // Bundlers for browsers must not look for this module, so it has no literal name.
  const files = "node:fs/promises";
  const { readFile } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ files)) as typeof import("node:fs/promises");
  return (await readFile(url)) as Uint8Array<ArrayBuffer>;
}
