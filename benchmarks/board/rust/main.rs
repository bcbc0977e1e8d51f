//! Answers queries with texting_robots, one agent each. The protocol is that of package driver.

use std::io::{self, BufRead, Write};
use std::panic;

use texting_robots::Robot;

/// Returns the bytes of a base64 string.
fn bytes(encoded: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut bits, mut held) = (0u32, 0);
    for c in encoded.bytes() {
        let digit = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    out
}

/// Returns the bytes of a field, whose text is base64 and contains no quotes.
fn field(line: &str, before: &str) -> Result<Vec<u8>, String> {
    let rest = line.split_once(before).ok_or("the query has no agent, or several")?.1;
    Ok(bytes(rest.split('"').next().unwrap_or("")))
}

fn text(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|_| "not UTF-8".into())
}

fn allowed(line: &str) -> Result<bool, String> {
    let body = field(line, "\"body\":\"")?;
    let agent = text(field(line, "\"agents\":[\"")?)?;
    let url = text(field(line, "\"url\":\"")?)?;
    let robot = Robot::new(&agent, &body).map_err(|_| "the parser returns an error")?;
    Ok(robot.allowed(&url))
}

fn main() -> io::Result<()> {
    panic::set_hook(Box::new(|_| ()));
    let mut out = io::stdout().lock();
    writeln!(out, "{{\"version\":\"{}\"}}", env!("VERSION"))?;
    for line in io::stdin().lock().lines() {
        let line = line?;
        match panic::catch_unwind(|| allowed(&line)).unwrap_or_else(|_| Err("panic".into())) {
            Ok(allowed) => writeln!(out, "{{\"allowed\":{allowed}}}")?,
            Err(error) => writeln!(out, "{{\"error\":\"{error}\"}}")?,
        }
    }
    Ok(())
}
