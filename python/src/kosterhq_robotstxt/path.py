"""The path of a URL, and the form of URLs as browsers read them.

path.go, and package origin, do the same. Python has no tables of UTS #46: an international host is
read by the normalisation and the categories of Unicode, without the rules about directions and
joiners.
"""

from __future__ import annotations

import re
from typing import List, Match, Tuple

from .dialect import PERCENT, Traits, encode_google

# Most URLs: nothing changes them, and they have a path.
_plain = re.compile(r"(?:https?://(?:[a-z0-9-]{1,63}\.){0,3}[a-z-][a-z0-9-]{0,55}(?=/)|(?!//))(/[!$&()*+,\-.\w:;=?@\[\]|~/%]*)", re.ASCII).fullmatch
_lower_code = re.compile("%(?![0-9A-F]{2})").search
_first = re.compile("[/?;#]").search
_until_fragment = re.compile("[^#\0]*").match


def path_of_url(url: str, traits: Traits) -> str:
    """Returns the path of a URL as browsers read it, in the canonical form of a dialect."""
    plain = _plain(url)
    if plain is None:
        return path_of(text_of_url(url), traits)
    path: str = plain[1]
    if "/." in path or ("%" in path and ("/%2E" in path or _lower_code(path))):
        return path_of(text_of_url(url), traits)
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


_CONTROLS = "".join(map(chr, range(33)))  # and the blank
_scheme = re.compile("[A-Za-z][A-Za-z0-9+.\t\n\r-]*:").match
_authority_end = re.compile(r"[/\\?#]").search
_colon_or_end = re.compile(r"[:/\\?#]").search
_dots = re.compile(r"(?:\.|%2[eE])(\.|%2[eE])?").fullmatch
_in_path = re.compile('[\0-\x20"#<>?^`{}\x7f-\xff]')
_in_query = re.compile("[\0-\x20\"<>'\x7f-\xff]")
_slashes = re.compile(r"[/\\]")


def text_of_url(url: str) -> str:
    """Returns a URL as a browser reads it, in the encoding of rules; of its host any."""
    raw = url.strip(_CONTROLS)
    scheme, rest = _cut_scheme(raw)
    if scheme:
        authority = rest.lstrip("/\\\t\n\r")
        end = _end(authority, 0)
        if _is_authority(authority[:end]):
            return "http://h" + encode_google(_target(authority[end:]))
    # Without an origin, the host stays as it is.
    text = _hidden(url).strip(_CONTROLS)
    end = _relative_target(text)
    if not _cut_scheme(text)[0] and end < len(text):
        read = text[:end] + _target(text[end:])
        if _relative_target(read) == end:  # else a part of the path would be read as a host
            return encode_google(read)
    return encode_google(text)


def _cut_scheme(text: str) -> Tuple[str, str]:
    """Returns a known scheme and what is after its colon, an empty scheme otherwise."""
    match = _scheme(text)
    if match is None:
        return "", text
    scheme = _without_breaks(match[0][:-1]).lower()
    return scheme if scheme in ("http", "https", "ftp") else "", text[match.end() :]


def _end(text: str, start: int) -> int:
    """Returns where an authority ends that begins at an index."""
    found = _authority_end(text, start)
    return found.start() if found else len(text)


def _relative_target(text: str) -> int:
    """Returns where the path and query begin in a text without an origin."""
    found = _colon_or_end(text)
    if found and text.startswith("://", found.start()):
        return _end(text, found.start() + 3)
    return _end(text, 2 if len(text) > 1 and text[0] in "/\\" and text[1] in "/\\" else 0)


def _hidden(text: str) -> str:
    """Returns a text with *** in place of a user name and password."""
    start = len(text) - len(text.lstrip(_CONTROLS))
    found = _colon_or_end(text, start)
    if found and found[0] == ":":
        start = found.end()
    elif start == len(text) or (found and found.start() == start and text[min(start + 1, len(text) - 1)] not in "/\\"):
        return text
    while start < len(text) and text[start] in "/\\\t\n\r":
        start += 1
    at = text.rfind("@", start, _end(text, start))
    return f"{text[:start]}***{text[at:]}" if at > start else text


def _target(rest: str) -> str:
    """Serialises what follows the authority of a URL, without the fragment."""
    path, mark, query = _without_breaks(rest).partition("#")[0].partition("?")
    segments: List[str] = []
    for segment in _slashes.split(path[1:] if path[:1] in ("/", "\\") else path):
        dots = _dots(segment)
        if dots is None:
            segments.append(_in_path.sub(_code, segment))
        elif dots[1] and segments:
            segments.pop()
    if dots is not None:
        segments.append("")
    return "/" + "/".join(segments) + mark + _in_query.sub(_code, query)


def _code(match: Match[str]) -> str:
    return PERCENT[ord(match[0])]


def _without_breaks(text: str) -> str:
    return text.replace("\t", "").replace("\n", "").replace("\r", "")


def _is_authority(authority: str) -> bool:
    """Reports whether an authority has a host that is a name or an address, and a port if any."""
    authority = authority[authority.rfind("@") + 1 :]
    if len(authority) > 4096:
        return False
    authority = _without_breaks(authority)
    end = authority.find("]") + 1 if authority[:1] == "[" else authority.find(":")
    if end == 0 and authority[:1] == "[":
        return False
    host, port = (authority, "") if end < 0 else (authority[:end], authority[end:])
    if port and (port[0] != ":" or (port[1:] and not re.fullmatch("0*[1-9][0-9]{0,4}", port[1:])) or int(port[1:] or 1) > 65535):
        return False
    return _is_host(host)


_percent = re.compile("%[0-9A-Fa-f]{2}")
_name = re.compile(r"[\w~!$&'()*+,=-]{1,63}(?:\.[\w~!$&'()*+,=-]{1,63})*", re.ASCII)
_number = re.compile(r"(?:.*\.)?(?:0[xX][0-9A-Fa-f]*|[0-9]+)", re.DOTALL)
_ignored = re.compile("[\u00ad\u034f\u180b-\u180d\u200b\u2060\u2064\ufe00-\ufe0f\ufeff]")


def _is_host(host: str) -> bool:
    """Reports whether the octets of a host are a name or an address."""
    if host.startswith("["):
        return _is_ipv6(host[1:-1])
    if "%" in host or not host.isascii():
        host = _percent.sub(lambda m: chr(int(m[0][1:], 16)), host)
        if len(host) > 1024:
            return False
        if "%" in host or not host.isascii():
            try:
                host = _in_ascii(host.encode("latin-1").decode("utf-8"))
            except UnicodeError:
                return False
    if host.endswith("."):
        host = host[:-1]
    if _number.fullmatch(host):
        return _is_ipv4(host)
    return len(host) <= 253 and _name.fullmatch(host) is not None


def _in_ascii(name: str) -> str:
    """Returns an international name in ASCII. The error is that it is none."""
    from unicodedata import category, normalize

    name = normalize("NFKC", normalize("NFKC", _ignored.sub("", name)).lower())
    labels = name.replace("\u3002", ".").split(".")
    for i, label in enumerate(labels):
        if label.isascii():
            continue
        if len(label) > 63 or category(label[0])[0] == "M" or any(category(c)[0] in "CZ" for c in label):
            raise UnicodeError("a character that no host has")
        labels[i] = "xn--" + label.encode("punycode").decode("ascii")
    return ".".join(labels)


def _is_ipv4(host: str) -> bool:
    parts = host.split(".")
    if len(parts) > 4:
        return False
    for i, part in enumerate(parts):
        base = 16 if part[:2] in ("0x", "0X") else 8 if len(part) > 1 and part[0] == "0" else 10
        digits = part[2:] if base == 16 else part
        try:
            number = int(digits, base) if digits or base != 16 else 0
        except ValueError:
            return False
        if not re.fullmatch("[0-9A-Fa-f]*", digits) or number >> (8 if i < len(parts) - 1 else 8 * (5 - len(parts))):
            return False
    return True


def _is_ipv6(literal: str) -> bool:
    from ipaddress import IPv6Address

    try:
        IPv6Address(literal)
    except ValueError:
        return False
    return "%" not in literal
