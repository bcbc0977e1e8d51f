//! Answers questions with fast-robots, and times it. The protocol is that of
//! package driver: a JSON object per line, in which every text is base64.

use std::fs;
use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::time::Instant;

use fast_robots::{ParseOptions, RobotsTxt};

/// Files of any size are parsed, as the other parsers do.
const OPTIONS: ParseOptions = ParseOptions { max_bytes: None };

type Result<T> = std::result::Result<T, String>;

/// Returns the bytes of a base64 string.
fn bytes(encoded: &str) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(encoded.len() / 4 * 3);
    let (mut bits, mut held) = (0u32, 0);
    for c in encoded.bytes().filter(|c| *c != b'=') {
        let digit = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return Err("not base64".into()),
        };
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    Ok(out)
}

fn text(encoded: &str) -> Result<String> {
    String::from_utf8(bytes(encoded)?).map_err(|_| "not UTF-8".into())
}

/// Returns what follows the key in a line, up to the closing character. Base64
/// contains neither quotes nor brackets.
fn field<'a>(line: &'a str, key: &str, close: char) -> Option<&'a str> {
    let rest = line.split_once(&format!("\"{key}\":"))?.1;
    let rest = if close == '"' { &rest[1..] } else { rest };
    rest.split(close).next()
}

struct File {
    body: Vec<u8>,
    paths: Vec<String>,
}

/// What package driver writes: numbers and lengths of 32 bits, little endian,
/// each length followed by that many bytes.
#[derive(Default)]
struct Corpus {
    agent: String,
    files: Vec<File>,
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(n).ok_or("the corpus is cut off")?;
        self.0 = rest;
        Ok(head)
    }

    fn number(&mut self) -> Result<usize> {
        let four = self.take(4)?.try_into().map_err(|_| "the corpus is cut off")?;
        Ok(u32::from_le_bytes(four) as usize)
    }

    fn bytes(&mut self) -> Result<&'a [u8]> {
        let n = self.number()?;
        self.take(n)
    }

    fn text(&mut self) -> Result<String> {
        Ok(String::from_utf8_lossy(self.bytes()?).into_owned())
    }
}

fn load(name: &str) -> Result<Corpus> {
    let content = fs::read(name).map_err(|e| e.to_string())?;
    let mut reader = Reader(&content);
    let agent = reader.text()?;
    let mut files = Vec::new();
    for _ in 0..reader.number()? {
        let body = reader.bytes()?.to_vec();
        let n = reader.number()?;
        let paths = (0..n).map(|_| reader.text()).collect::<Result<_>>()?;
        files.push(File { body, paths });
    }
    Ok(Corpus { agent, files })
}

/// Goes at the named work and returns the nanoseconds that it took. What is
/// prepared for "match" and "scan" is not timed.
fn time(work: &str, corpus: &Corpus, goes: u32) -> Result<u128> {
    let parse = |f: &'_ File| RobotsTxt::parse_bytes_with_options(&f.body, OPTIONS).is_ok();
    match work {
        "parse" => Ok(timed(goes, || {
            for f in &corpus.files {
                black_box(parse(f));
            }
        })),
        "one shot" => Ok(timed(goes, || {
            for (i, f) in corpus.files.iter().enumerate() {
                if let Ok(robots) = RobotsTxt::parse_bytes_with_options(&f.body, OPTIONS) {
                    black_box(robots.is_allowed(&corpus.agent, &f.paths[i % f.paths.len()]));
                }
            }
        })),
        "match" | "scan" => {
            let parsed = corpus
                .files
                .iter()
                .map(|f| Ok((f, RobotsTxt::parse_bytes_with_options(&f.body, OPTIONS)?)))
                .collect::<std::result::Result<Vec<_>, fast_robots::ParseError>>()
                .map_err(|e| e.to_string())?;
            if work == "scan" {
                return Ok(timed(goes, || {
                    for (f, robots) in &parsed {
                        for path in &f.paths {
                            black_box(robots.is_allowed(&corpus.agent, path));
                        }
                    }
                }));
            }
            let matchers: Vec<_> = parsed.iter().map(|(f, robots)| (f, robots.matcher())).collect();
            Ok(timed(goes, || {
                for (f, matcher) in &matchers {
                    for path in &f.paths {
                        black_box(matcher.is_allowed(&corpus.agent, path));
                    }
                }
            }))
        }
        _ => Err("unknown work".into()),
    }
}

fn timed(goes: u32, mut work: impl FnMut()) -> u128 {
    let start = Instant::now();
    for _ in 0..goes {
        work();
    }
    start.elapsed().as_nanos()
}

#[derive(Default)]
struct State {
    work: String,
    corpus: Corpus,
}

fn answer(line: &str, state: &mut State) -> Result<String> {
    if let Some(work) = field(line, "work", '"') {
        state.work = work.to_string();
        state.corpus = load(&text(field(line, "corpus", '"').unwrap_or_default())?)?;
        return Ok("{}".into());
    }
    if let Some(goes) = field(line, "goes", '}') {
        let goes = goes.parse().map_err(|_| "no number of goes")?;
        return Ok(format!("{{\"ns\":{}}}", time(&state.work, &state.corpus, goes)?));
    }
    let body = bytes(field(line, "body", '"').unwrap_or_default())?;
    let agents = field(line, "agents", ']').unwrap_or_default();
    let agent = text(agents.split('"').nth(1).ok_or("no agent")?)?;
    let url = text(field(line, "url", '"').unwrap_or_default())?;
    let robots = RobotsTxt::parse_bytes_with_options(&body, OPTIONS).map_err(|e| e.to_string())?;
    Ok(format!("{{\"allowed\":{}}}", robots.is_allowed(&agent, path(&url))))
}

/// Cuts the path out of an absolute URL, which callers of fast-robots have to.
fn path(url: &str) -> &str {
    match url.split_once("://") {
        Some((_, rest)) if !url.starts_with('/') => rest.find(['/', '?', '#']).map_or("/", |at| &rest[at..]),
        _ => url,
    }
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{{\"version\":\"{}\"}}", env!("VERSION"))?;
    out.flush()?;
    let mut state = State::default();
    for line in io::stdin().lock().lines() {
        let reply = answer(&line?, &mut state).unwrap_or_else(|e| format!("{{\"error\":\"{e}\"}}"));
        writeln!(out, "{reply}")?;
        out.flush()?;
    }
    Ok(())
}
