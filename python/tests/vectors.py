"""Reads the vectors of the conformance kit, as conformance/README.md describes them."""

from __future__ import annotations

import base64
import re
import unittest
from pathlib import Path
from typing import Iterator, List, NamedTuple, Optional, Tuple

ROOT = Path(__file__).resolve().parents[2]


def read(*path: str) -> str:
    """Returns a text of the repository. A source archive has only the package, so there the test is skipped."""
    if not (ROOT / "go.work").exists():
        raise unittest.SkipTest("only in a clone of the repository")
    return ROOT.joinpath(*path).read_text(encoding="utf-8")


class Check(NamedTuple):
    """A check of one URL."""

    vector: str
    body: bytes
    dialect: str
    tokens: List[bytes]
    url: bytes
    allowed: bool
    line: Optional[int]


def checks() -> Iterator[Check]:
    """Yields the checks of all vectors: of URLs, without those of whole patterns."""
    read("go.work")
    for path in sorted((ROOT / "conformance" / "vectors").glob("*/*.txt")):
        yield from _checks_of(f"{path.parent.name}/{path.name}", path.read_bytes().decode("latin-1"))


def _checks_of(vector: str, text: str) -> Iterator[Check]:
    """Texts are Latin-1: each character is a byte."""
    head, content = text.split("\n\n", 1)
    lines = head.split("\n")
    body = content.encode("latin-1")
    if "body: base64" in lines:
        body = base64.b64decode(body)
    if lines.pop(0) != "format: 2":
        raise ValueError(f"{vector}: another format")
    dialects: List[str] = []
    crawlers: List[List[str]] = []
    for line in lines:
        key, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if key == "dialect":
            dialects = [name.strip() for name in value.split(",")]
        elif key == "agents":
            crawlers = _agents(value)
        elif key in ("allow", "deny"):
            number, url = re.fullmatch(r"(?:\[(\d+)\] )?(.*)", value, re.DOTALL).groups()
            if url.startswith('"'):
                url = _quoted(url, 0)[0]
            for dialect in dialects:
                for tokens in crawlers:
                    octets = [token.encode("latin-1") for token in tokens]
                    yield Check(vector, body, dialect, octets, url.encode("latin-1"), key == "allow", int(number) if number else None)
        elif key not in ("clause", "note", "body", "allow-all", "deny-all"):
            raise ValueError(f"{vector}: {line}")


def _agents(value: str) -> List[List[str]]:
    """Returns the crawlers of a list, each with its tokens."""
    if value == "":
        return [[]]
    is_header = re.search(r"\(|://", value) or ("/" in value and re.search("[ \t;]", value) and not re.search(",|;[ \t]", value))
    if is_header and '"' not in value:
        return [[value]]
    crawlers: List[List[str]] = [[]]
    at = 0
    while at <= len(value):
        while value[at : at + 1] == " ":
            at += 1
        if value[at : at + 1] == '"':
            token, at = _quoted(value, at)
        else:
            begin = at
            while at < len(value) and value[at] not in ",:":
                at += 1
            token = value[begin:at].strip()
        crawlers[-1].append(token)
        while value[at : at + 1] == " ":
            at += 1
        if value[at : at + 1] == ",":
            crawlers.append([])
        at += 1
    return crawlers


_escape = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|([0-3][0-7]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([abfnrtv])|([\"\\]))")
_letters = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}


def _quoted(value: str, begin: int) -> Tuple[str, int]:
    """Returns the text in quotes from an index, and the index after it."""
    text, at = "", begin + 1
    while value[at] != '"':
        if value[at] != "\\":
            text += value[at]
            at += 1
            continue
        match = _escape.match(value, at)
        code, octal, short, long, letter, itself = match.groups()
        if short or long:
            text += chr(int(short or long, 16)).encode().decode("latin-1")
        elif itself:
            text += itself
        else:
            text += chr(_letters[letter] if letter else int(code, 16) if code else int(octal, 8))
        at = match.end()
    return text, at + 1
