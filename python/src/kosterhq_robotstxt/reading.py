"""The crawlers of a query, and the product tokens of User-Agent headers.

internal/agentlist, answer.Typed, crawlers.ReadingOf and crawlers.Sender do the same, the last
one with the data of all known crawlers.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Dict, List, NamedTuple, Optional, Tuple

from . import crawlers
from .body import read_body
from .dialect import DIALECTS, decoded, fold, text_of

_stated: Dict[str, str] = {token: dialect for dialect, tokens in crawlers.STATED.items() for token in tokens.split(",")}
_named_only = frozenset(crawlers.NAMED_ONLY.split(","))
_fallbacks: Dict[str, str] = {token: chain for chain, tokens in crawlers.FALLBACKS.items() for token in tokens.split(",")}


class Reading(NamedTuple):
    """How a crawler reads a robots.txt."""

    tokens: Tuple[str, ...]
    is_named_only: bool
    """Groups for "*" do not apply."""
    dialect: Optional[str]
    """None if no agent line can name the crawler."""


def reading_of(agent: str, is_exact: bool) -> Reading:
    """Returns the reading of a crawler. Those of the last crawlers are kept, unless they are long."""
    return _kept(agent, is_exact) if len(agent) <= 256 else _reading_of(agent, is_exact)


def _reading_of(agent: str, is_exact: bool) -> Reading:
    """Returns the reading of a crawler: a token, a chain of them, or a whole User-Agent header."""
    tokens = _tokens_of(agent)
    given = len(tokens)
    if given == 1 and fold(tokens[0]) in _fallbacks:
        tokens += _fallbacks[fold(tokens[0])].split(":")
    chosen = tuple(tokens[:given] if is_exact else tokens)
    for token in map(fold, tokens):
        dialect = "google" if token in ("", "*") else _stated.get(token) or _naming(token)
        if dialect is not None:
            return Reading(chosen, not is_exact and token in _named_only, dialect)
    return Reading(chosen, False, None)


_kept = lru_cache(maxsize=256)(_reading_of)


def _naming(token: str) -> Optional[str]:
    """Returns the first dialect in which an agent line can name a token."""
    return next((name for name in ("google", "rfc9309") if _can_name(token, name)), None)


def _can_name(token: str, dialect: str) -> bool:
    return token in read_body(f"User-agent: {token}\nDisallow: /", DIALECTS[dialect]).groups


_header = re.compile(r"\(|://").search
_blank = re.compile("[ \t;]").search
_list = re.compile(",|;[ \t]").search
_BLANKS = " \t\n\v\f\r"
_item = re.compile(rf"(?:[{_BLANKS}]*\"((?:[^\"\\\n]|\\[\"\\]|\\x[0-9a-f]{{2}})*)\"[{_BLANKS}]*|([^,:;\"#]+))([,:]|\Z)", re.IGNORECASE).match
_escape = re.compile(r"\\(x..|.)")


def _tokens_of(agent: str) -> List[str]:
    """Returns the tokens in the notation of a crawler, in which a colon makes a chain."""
    is_header = _header(agent) or ("/" in agent and _blank(agent) and not _list(agent))
    if is_header and '"' not in agent:
        return [_typed(agent.strip(_BLANKS))]
    tokens: List[str] = []
    at, separator = 0, ":"
    while separator:
        item = _item(agent, at) if separator == ":" else None
        if item is None:
            raise invalid(agent, "want one crawler" if separator == "," else "want a product token, or several with colons between them")
        quoted, plain, separator = item.groups()
        if quoted is not None:
            tokens.append(_escape.sub(lambda m: decoded(m[1]) if len(m[1]) > 1 else m[1], quoted))
        else:
            tokens.append(_typed(plain.strip(_BLANKS)))
        at = item.end()
    return tokens


def _typed(text: str) -> str:
    """Returns the token that a person means by a token or a User-Agent header."""
    if text == "*":
        return text
    token = sender_of(text)
    if not token and (_names_nobody(text) or not _can_name(fold(text), "rfc9309")):
        raise invalid(text, "it names no crawler", _HINT)
    return text if not token or fold(token) == fold(text) else token


def _names_nobody(text: str) -> bool:
    return "(" in text or "@" in text or fold(text) == "mozilla"


_QUOTE = "put a token that contains a comma, colon or semicolon in double quotes"
_HINT = 'write a product token, such as GPTBot, or "*" for any crawler that no group names; a token in double quotes is taken literally'


def invalid(agent: str, problem: str, hint: str = _QUOTE) -> ValueError:
    """Returns the error about a crawler, with what to do."""
    return ValueError(f"agent {text_of(agent)!r}: {problem}: {hint}")


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
        start, at = match.span()
        gap = header[end:start]
        floor = depth
        for c in gap:
            if c == "(":
                depth += 1
            elif c == ")":
                depth = max(depth - 1, 0)
                floor = min(floor, depth)
        name: str = _name(match[0])[0]  # type: ignore[index]
        rest = match[0][len(name) :]
        known = _named(header, start)
        if known:
            at = max(at, known.end())
            name = known[0]
        is_versioned = header[start + len(name) : start + len(name) + 1] == "/"
        name = name.rstrip(":")
        kind = "known" if known else _kind_of(name)
        if "@" in name + rest or fold(name[:4]) == "www." or ("+" in gap and "." in name):
            kind = "address"
        elif is_versioned and "://" in match[0]:
            at = _more_of_address(header, at).end()  # type: ignore[union-attr]
            kind = "address"  # commas and brackets are part of it
        end = at
        if fold(name) == "compatible":
            kind = "compatible" if _semicolon(header, end) else "never"
        read.append(Word(name, kind, is_versioned, depth, floor, start == 0 or _new_part(gap) is not None))
    return read


def _kind_of(name: str) -> str:
    return _kinds.get(fold(name)) or ("never" if _begins(name) or not _letter(name) else "own")
