"""URLs as browsers read them.

Package origin does the same. Python has no tables of UTS #46: an international host is read by
the normalisation and the categories of Unicode, without the rules about directions and joiners.
"""

from __future__ import annotations

import re
from typing import List, Match, Tuple

from .dialect import PERCENT, decoded, encode_google

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


def _is_host(host: str) -> bool:
    """Reports whether the octets of a host are a name or an address."""
    if host.startswith("["):
        return _is_ipv6(host[1:-1])
    host = re.sub("%[0-9A-Fa-f]{2}", lambda m: decoded(m[0]), host)
    if not host.isascii() or "%" in host:
        try:
            host = _in_ascii(host.encode("latin-1").decode("utf-8"))
        except UnicodeError:
            return False
    if host.endswith("."):
        host = host[:-1]
    if re.fullmatch(r"(?:.*\.)?(?:0[xX][0-9A-Fa-f]*|[0-9]+)", host, re.DOTALL):
        return _is_ipv4(host)
    return len(host) <= 253 and re.fullmatch(r"[\w~!$&'()*+,=-]{1,63}(?:\.[\w~!$&'()*+,=-]{1,63})*", host, re.ASCII) is not None


# Of UTS #46: what is ignored, and what no name has, although its category is that of letters or symbols.
_IGNORED = "[\u00ad\u034f\u180b-\u180d\u180f\u200b\u2060\u2064\ufe00-\ufe0f\ufeff\U0001bca0-\U0001bca3\U000e0100-\U000e01ef]"
_DISALLOWED = (
    "[\u04c0\u10a0-\u10c5\u115f\u1160\u17b4\u17b5\u1806\u2024-\u2026\u2132\u2183\u2488-\u249b\u2ff0-\u2ffb\u3164\u33c2\u33c7\u33d8"
    "\ufe12\ufe19\ufe30\ufe52\uffa0\ufffc\ufffd\U0001f100\U0002f868\U0002f874\U0002f91f\U0002f95f\U0002f9bf]"
)
_RIGHT_TO_LEFT = {"R", "AL", "AN"}
_WEAK = {"EN", "ES", "CS", "ET", "ON", "BN", "NSM"}


def _in_ascii(name: str) -> str:
    """Returns an international name in ASCII. The error is that it is none."""
    from unicodedata import bidirectional, category, normalize

    if len(name.encode()) > 1024 or re.search(_DISALLOWED, name):
        raise UnicodeError("too long, or with a character that no host has")
    mapped = normalize("NFKC", normalize("NFKC", re.sub(_IGNORED, "", name)).lower())
    labels = mapped.replace("\u3002", ".").split(".")
    for i, label in enumerate(labels):
        if label.startswith("xn--"):
            labels[i] = label[4:].encode().decode("punycode")
            name += labels[i]
            if labels[i].isascii():
                raise UnicodeError("punycode of ASCII")
    has_directions = any(bidirectional(c) in _RIGHT_TO_LEFT for c in name)
    for i, label in enumerate(labels):
        if has_directions and label and not _is_directed([bidirectional(c) for c in label]):
            raise UnicodeError("directions that RFC 5893 does not allow")
        if not label.isascii():
            joined = re.sub("(.)[\u200c\u200d]", lambda m: m[1] if _is_joined(m[1]) else m[0], label)
            if len(label) > 63 or category(label[0])[0] == "M" or any(category(c)[0] in "CZ" for c in joined):
                raise UnicodeError("a character that no host has")
            labels[i] = "xn--" + label.encode("punycode").decode()
    return ".".join(labels)


def _is_directed(classes: List[str]) -> bool:
    """Reports whether the classes of the characters of a label are in an order of RFC 5893."""
    strong = {"L"} if classes[0] == "L" else _RIGHT_TO_LEFT
    found = set(classes)
    last = next((c for c in reversed(classes) if c != "NSM"), "")
    return classes[0] in ("L", "R", "AL") and last in strong | {"EN"} and found <= strong | _WEAK and not {"AN", "EN"} <= found


def _is_joined(c: str) -> bool:
    """Reports whether a joiner can be after a character: a virama or, nearly always, a letter of Arabic."""
    from unicodedata import bidirectional, combining

    return combining(c) == 9 or bidirectional(c) == "AL"


def _is_ipv4(host: str) -> bool:
    parts = [re.fullmatch("0[xX]0*([0-9A-Fa-f]{0,8})|0+([0-7]{0,11})|([1-9][0-9]{0,9})", part) for part in host.split(".")]
    numbers = [int(part[part.lastindex or 0] or "0", (16, 8, 10)[(part.lastindex or 1) - 1]) for part in parts if part]
    return len(numbers) == len(parts) <= 4 and max(numbers[:-1], default=0) < 256 and numbers[-1] < 256 ** (5 - len(parts))


def _is_ipv6(literal: str) -> bool:
    from ipaddress import IPv6Address

    try:
        IPv6Address(literal)
    except ValueError:
        return False
    return "%" not in literal
