"""The path of a URL. path.go does the same."""

from __future__ import annotations

import re

from .dialect import Traits

# Most URLs, which are read as they are, with their path.
_plain = re.compile(r"(?:https?://(?:[a-z0-9-]{1,63}\.){0,3}[a-z-][a-z0-9-]{0,55}(?=/)|(?!//))(/[!$&()*+,\-.\w:;=?@\[\]|~/%]*)", re.ASCII).fullmatch
_changed = re.compile("/\\.|/%2E|%(?![0-9A-F]{2})").search
_first = re.compile("[/?;#]").search
_until_fragment = re.compile("[^#\0]*").match


def path_of_url(url: str, traits: Traits) -> str:
    """Returns the path of a URL as browsers read it, in the canonical form of a dialect."""
    plain = _plain(url)
    if plain is None or (("/." in url or "%" in url) and _changed(plain[1])):
        from .url import text_of_url  # few URLs need it

        return path_of(text_of_url(url), traits)
    path: str = plain[1]
    if traits.records:
        path = path.partition("?")[0]
    return traits.encode(path, False)


def path_of(url: str, traits: Traits) -> str:
    """Returns the path of a URL or of a path as it is, in the canonical form of a dialect."""
    start = 2 if url.startswith("//") else 0
    found = _first_of(url, start)
    if url.startswith("://", found - 1):
        found = _first_of(url, found + 2)
    if found < 0:
        return "/"
    path: str = _until_fragment(url, found)[0]  # type: ignore[index]
    if traits.records:
        path = path.partition("?")[0]
    return ("" if url[found] == "/" else "/") + traits.encode(path, False)


def _first_of(url: str, start: int) -> int:
    """Returns where the first slash, '?' or ';' is, -1 if there is none or a '#' is before it."""
    found = _first(url, start)
    return -1 if found is None or found[0] == "#" else found.start()
