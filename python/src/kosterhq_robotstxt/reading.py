"""The crawlers of a query, and how they read.

internal/agentlist, answer.Typed and crawlers.ReadingOf do the same.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Dict, List, NamedTuple, Optional, Tuple

from . import crawlers
from .body import read_body
from .dialect import DIALECTS, SPACE, decoded, fold, quoted, text_of

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


_item = re.compile(r'\s*(?:"((?:[^"\\\n]|\\["\\]|\\x[0-9A-Fa-f]{2})*)"\s*|(?!\s)([^,:;"#]+))([,:]|\Z)', re.ASCII).match
_is_word = re.compile(r"[\w-]+", re.ASCII).fullmatch


def _tokens_of(agent: str) -> List[str]:
    """Returns the tokens in the notation of a crawler, in which a colon makes a chain."""
    agent = agent.strip(SPACE)
    is_header = re.search(r"\(|://", agent) or ("/" in agent and re.search("[ \t;]", agent) and not re.search(",|;[ \t]", agent))
    if is_header and '"' not in agent:
        return [_typed(agent)]
    tokens: List[str] = []
    at, separator = 0, ":"
    while separator:
        item = _item(agent, at) if separator == ":" else None
        if item is None:
            raise invalid(agent, "give one crawler" if separator == "," else "give a product token, or several with colons between them")
        quoted, plain, separator = item.groups()
        if quoted is not None:
            tokens.append(re.sub(r"\\(x..|.)", lambda m: decoded(m[1]) if len(m[1]) > 1 else m[1], quoted))
        else:
            tokens.append(_typed(plain.rstrip(SPACE)))
        at = item.end()
    return tokens


def _typed(text: str) -> str:
    """Returns the token that a person means by a token or a User-Agent header."""
    if text == "*" or (_is_word(text) and fold(text) != "mozilla"):
        return text
    from .header import declared_by  # which most programs do not need

    token = declared_by(text)
    if not token and ("(" in text or "@" in text or fold(text) == "mozilla" or not _can_name(fold(text), "rfc9309")):
        raise invalid(text, "it names no crawler", _HINT)
    return text if not token or fold(token) == fold(text) else token


_QUOTE = "put a token that contains a comma, colon or semicolon in double quotes"
_HINT = 'write a product token, such as GPTBot, or "*" for any crawler that follows the group for *; a token in double quotes is taken literally'


def invalid(agent: str, problem: str, hint: str = _QUOTE) -> ValueError:
    """Returns the error about a crawler, with what to do."""
    return ValueError(f"agent {quoted(text_of(agent[:400]))}: {problem}: {hint}")
