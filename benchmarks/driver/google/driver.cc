// Answers questions with Google's parser, and times it. The protocol is that of
// package driver: a JSON object per line, in which every text is base64.

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "robots.h"

namespace {

// Text returns the bytes of a base64 string.
std::string Text(absl::string_view encoded) {
  std::string bytes;
  if (!absl::Base64Unescape(encoded, &bytes)) throw std::runtime_error("not base64");
  return bytes;
}

// Field returns what follows the key in a line, up to the closing character, and
// whether the key is there. Base64 contains neither quotes nor brackets.
bool Field(const std::string& line, const std::string& key, char close, std::string* value) {
  const size_t found = line.find("\"" + key + "\":");
  if (found == std::string::npos) return false;
  size_t start = found + key.size() + 3;
  if (close == '"') start++;
  *value = line.substr(start, line.find(close, start) - start);
  return true;
}

std::string TextField(const std::string& line, const std::string& key) {
  std::string value;
  Field(line, key, '"', &value);
  return Text(value);
}

std::vector<std::string> Agents(const std::string& line) {
  std::vector<std::string> agents;
  std::string list;
  Field(line, "agents", ']', &list);
  for (size_t open = list.find('"'); open != std::string::npos;) {
    const size_t close = list.find('"', open + 1);
    agents.push_back(Text(absl::string_view(list).substr(open + 1, close - open - 1)));
    open = list.find('"', close + 1);
  }
  return agents;
}

struct File {
  std::string body;
  std::vector<std::string> paths;
};

// Corpus is what package driver writes: numbers and lengths of 32 bits, little
// endian, each length followed by that many bytes.
struct Corpus {
  std::string agent;
  std::vector<File> files;
};

class Reader {
 public:
  explicit Reader(const std::string& name) {
    std::ifstream in(name, std::ios::binary);
    if (!in) throw std::runtime_error("cannot open " + name);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
  }

  uint32_t Number() {
    uint32_t n = 0;
    for (int i = 0; i < 4; i++) n |= uint32_t(uint8_t(bytes_.at(at_++))) << (8 * i);
    return n;
  }

  std::string Bytes() {
    const uint32_t n = Number();
    if (n > bytes_.size() - at_) throw std::runtime_error("the corpus is cut off");
    at_ += n;
    return bytes_.substr(at_ - n, n);
  }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

Corpus Load(const std::string& name) {
  Reader in(name);
  Corpus corpus;
  corpus.agent = in.Bytes();
  corpus.files.resize(in.Number());
  for (File& file : corpus.files) {
    file.body = in.Bytes();
    file.paths.resize(in.Number());
    for (std::string& path : file.paths) path = in.Bytes();
  }
  return corpus;
}

class Ignore : public googlebot::RobotsParseHandler {
 public:
  void HandleRobotsStart() override {}
  void HandleRobotsEnd() override {}
  void HandleUserAgent(int, absl::string_view) override { seen++; }
  void HandleAllow(int, absl::string_view) override { seen++; }
  void HandleDisallow(int, absl::string_view) override { seen++; }
  void HandleSitemap(int, absl::string_view) override { seen++; }
  void HandleUnknownAction(int, absl::string_view, absl::string_view) override { seen++; }
  uint64_t seen = 0;
};

// sum keeps the compiler from leaving out work whose result nobody reads.
volatile uint64_t sum;

// Work does the named work once for the whole corpus.
void Work(const std::string& work, const Corpus& corpus) {
  uint64_t total = 0;
  googlebot::RobotsMatcher matcher;
  for (size_t i = 0; i < corpus.files.size(); i++) {
    const File& file = corpus.files[i];
    if (work == "parse") {
      Ignore handler;
      googlebot::ParseRobotsTxt(file.body, &handler);
      total += handler.seen;
    } else if (work == "one shot") {
      total += matcher.OneAgentAllowedByRobots(file.body, corpus.agent, file.paths[i % file.paths.size()]);
    } else {
      // Parsed files do not exist: each question reads the text.
      for (const std::string& path : file.paths) {
        total += matcher.OneAgentAllowedByRobots(file.body, corpus.agent, path);
      }
    }
  }
  sum = total;
}

std::string Answer(const std::string& line, std::string* work, Corpus* corpus) {
  std::string value;
  if (Field(line, "work", '"', &value)) {
    *work = value;
    if (*work != "parse" && *work != "one shot" && *work != "match" && *work != "scan") {
      throw std::runtime_error("unknown work");
    }
    *corpus = Load(TextField(line, "corpus"));
    return "{}";
  }
  if (Field(line, "goes", '}', &value)) {
    const int goes = std::stoi(value);
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < goes; i++) Work(*work, *corpus);
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start;
    return "{\"ns\":" + std::to_string(took.count()) + "}";
  }
  // AllowedByRobots takes a list as one crawler of many names. That of a question
  // is ordered: the first token that the file names decides.
  const std::vector<std::string> agents = Agents(line);
  const std::string body = TextField(line, "body"), url = TextField(line, "url");
  googlebot::RobotsMatcher matcher;
  const std::vector<std::string> none;
  bool allowed = matcher.AllowedByRobots(body, &none, url);
  for (const std::string& agent : agents) {
    allowed = matcher.OneAgentAllowedByRobots(body, agent, url);
    if (matcher.ever_seen_specific_agent()) break;
  }
  return std::string("{\"allowed\":") + (allowed ? "true" : "false") + ",\"line\":" + std::to_string(matcher.matching_line()) + "}";
}

}  // namespace

int main() {
  std::cout << "{\"version\":\"" << VERSION << "\"}" << std::endl;
  std::string line, work;
  Corpus corpus;
  while (std::getline(std::cin, line)) {
    std::string answer;
    try {
      answer = Answer(line, &work, &corpus);
    } catch (const std::exception& error) {
      answer = std::string("{\"error\":\"") + error.what() + "\"}";
    }
    std::cout << answer << std::endl;
  }
}
