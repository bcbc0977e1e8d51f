"""The product tokens of User-Agent headers.

crawlers.Sender does the same, with the data of all known crawlers.
"""

from __future__ import annotations

import re
from typing import Dict, List, NamedTuple

from . import crawlers
from .dialect import fold


class Word(NamedTuple):
    """A word of a header."""

    name: str
    """Without a version."""
    kind: str
    """own, known, vehicle, client, never, comparing, compatible or address."""
    is_versioned: bool
    depth: int
    """How many comments it is in."""
    floor: int
    """The least depth since the word before."""
    opens: bool
    """It is the first of its part."""


_STOP = r"\0- \x7f()\[\]{}<>\"';,|"
_kinds: Dict[str, str] = {
    word: kind
    for kind, words in zip(("vehicle", "client", "never", "comparing"), (crawlers.VEHICLE, crawlers.CLIENT, crawlers.NEVER, crawlers.COMPARING))
    for word in words.split(" ")
}
_begins = re.compile(crawlers.BEGINNING.replace(" ", "|"), re.IGNORECASE | re.ASCII).match
_named = re.compile(f"(?:{'|'.join(crawlers.NAMES)})(?=[{_STOP}/+]|$)", re.IGNORECASE | re.ASCII).match
_word = re.compile(f"[^{_STOP}+][^{_STOP}]*").search
_rest = re.compile(f"[^{_STOP}]*").match
_last_word = re.compile(f"[^{_STOP}+]+\\Z")
_name = re.compile("[^/+]*").match
_letter = re.compile("[A-Za-z\x80-\xff]").search
_more_of_address = re.compile(rf"(?:[,\[\]](?=[^{_STOP}])[^{_STOP}]*)*").match
_new_part = re.compile("[();,|]").search
_semicolon = re.compile("[ \t+]*;").match
_crawls = re.compile("bot|crawl|spider|scrape", re.IGNORECASE).search
_lone_plus = re.compile(r"(?<![(+])\+")


def sender_of(header: str) -> str:
    """Returns the product token of the crawler that sends a header, "" if it names none."""
    read = _words_of(header)
    is_begun = is_skipping = False
    compatible = -1  # the depth of a "compatible;" that no word has followed
    other = client = vehicle = ""
    for i, word in enumerate(read):
        if word.floor < compatible:
            compatible = -1
        if word.opens:
            is_skipping = False
        if word.kind == "address" or is_skipping:
            continue
        is_own = word.kind == "own"
        follows = word.depth == compatible
        is_vehicle = word.kind in ("vehicle", "client")
        sends = not is_begun or follows or _is_sender(read, i)
        if word.kind == "known" or (is_own and sends) or (is_vehicle and follows):
            return crawlers.NAMES.get(fold(word.name)) or word.name
        is_begun = True
        if word.kind == "compatible":
            compatible = word.depth
        elif follows:
            compatible = -1
        if word.kind == "comparing":
            is_skipping = True
        if is_vehicle:
            vehicle = vehicle or word.name
        if word.kind == "client":
            client = client or word.name
        if is_own and word.depth == 0:
            other = other or word.name
    return other or client or vehicle


def declared_by(header: str) -> str:
    """Returns the product token that a program declares in its own header.

    It is that of its sender or, if the whole text is one product, this product, whatever its name
    is. crawlers.Declared does the same.
    """
    return sender_of(header) or _only_product(_words_of(header))


def _only_product(read: List[Word]) -> str:
    """Returns the name of the only product in a text, whose comments have an address; "" if it is none."""
    if not read or read[0].kind == "address" or read[0].depth > 0 or not _letter(read[0].name) or fold(read[0].name) == "mozilla":
        return ""
    others = [word for word in read[1:] if word.kind != "address"]
    is_addressed = any(word.kind == "address" and word.depth > 0 for word in read)
    return read[0].name if all(word.depth > 0 and is_addressed for word in others) else ""


def _is_sender(read: List[Word], i: int) -> bool:
    """Reports whether the place of a word of one's own shows that it names the sender."""
    word = read[i]
    if word.depth == 0:
        return word.is_versioned
    following = read[i + 1] if i + 1 < len(read) else None
    is_addressed = following is not None and following.kind == "address" and following.floor > 0
    return (word.is_versioned and _is_beside_address(read, i)) or (word.opens and (_crawls(word.name) is not None or is_addressed))


def _is_beside_address(read: List[Word], i: int) -> bool:
    """Reports whether the comment of a word also contains an address."""
    first, end = i, i + 1
    while read[first].floor > 0:
        first -= 1
    while end < len(read) and read[end].floor > 0:
        end += 1
    return any(word.kind == "address" for word in read[first:end])


def _words_of(header: str) -> List[Word]:
    """Returns the first 48 words of a header, of which no more than 1 KiB is read."""
    if len(header) > 1024:
        header = _last_word.sub("", header[:1024])
    if "+" in header and " " not in header:
        header = _lone_plus.sub(" ", header)  # as some logs write blanks
    read: List[Word] = []
    depth = end = at = 0
    while len(read) < 48:
        match = _word(header, at)
        if match is None:
            break
        start = match.start()
        gap = header[end:start]
        floor = depth
        for c in gap:
            if c == "(":
                depth += 1
            elif c == ")":
                depth = max(depth - 1, 0)
                floor = min(floor, depth)
        known = _named(header, start)
        name: str = known[0] if known else _name(match[0])[0]  # type: ignore[index]
        at = _rest(header, start + len(name)).end()  # type: ignore[union-attr]
        rest = header[start + len(name) : at]
        is_versioned = header[start + len(name) : start + len(name) + 1] == "/"
        name = name.rstrip(":")
        kind = "known" if known else _kind_of(name)
        if "@" in name + rest or fold(name[:4]) == "www." or ("+" in gap and "." in name):
            kind = "address"
        elif is_versioned and "://" in header[start:at]:
            at = _more_of_address(header, at).end()  # type: ignore[union-attr]
            kind = "address"  # commas and brackets are part of it
        end = at
        if fold(name) == "compatible":
            kind = "compatible" if _semicolon(header, end) else "never"
        read.append(Word(name, kind, is_versioned, depth, floor, start == 0 or _new_part(gap) is not None))
    return read


def _kind_of(name: str) -> str:
    return _kinds.get(fold(name)) or ("never" if _begins(name) or not _letter(name) else "own")
