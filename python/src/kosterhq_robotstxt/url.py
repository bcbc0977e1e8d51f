"""URLs as browsers read them.

Package origin does the same. Python has no tables of UTS #46: an international host is read by
the normalisation and the categories of Unicode, without the rules about directions and joiners.
"""

from __future__ import annotations

import re
from typing import List, Match, Optional, Tuple

from .dialect import PERCENT, Text, decoded, encode_google, octets_of, quoted, text_of

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
        if _authority_of(authority[:end]) is not None:
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


_LONGEST_LOCATION = 8192


def target_of(url: str, location: bytes) -> Optional[str]:
    """Returns the URL to which a Location in a response leads; None if it leads nowhere.

    Browsers read it the same way, and percent codes stay as they are: servers can compare paths or
    check signatures octet by octet. Only HTTP and HTTPS are accepted, and a path in which each "%"
    begins a code. url is that of the response. fetch/location.go does the same.
    """
    if not location or len(location) > _LONGEST_LOCATION:
        return None
    origin, target = _read(_absolute(url, _without_breaks(location.decode("latin-1").strip(_CONTROLS))))
    return origin + target if origin and not _stray_percent(target.partition("?")[0]) else None


def origin_of(url: Text) -> str:
    """Returns scheme, host and port of a URL of HTTP or HTTPS as browsers write them. ValueError: it has none."""
    origin, _ = _read(_without_breaks(octets_of(url, "url").strip(_CONTROLS)))
    if not origin:
        raise ValueError(f"url {quoted(text_of(octets_of(url, 'url')[:400]))}: use an absolute URL of HTTP or HTTPS")
    return origin


def _read(url: str) -> Tuple[str, str]:
    """Returns the origin of a URL of HTTP, "" if it has none, and its path and query."""
    scheme, rest = _cut_scheme(url)
    authority = rest.lstrip("/\\")
    end = _end(authority, 0)
    of = _authority_of(authority[:end])
    if of is None or scheme not in _ports:
        return "", ""
    host, port = of
    return f"{scheme}://{host}{'' if port in (None, _ports[scheme]) else f':{port}'}", _target(authority[end:])


_ports = {"http": 80, "https": 443}
_stray_percent = re.compile("%(?![0-9A-Fa-f]{2})").search


def _absolute(url: str, reference: str) -> str:
    """Returns the absolute URL of a reference at a URL that a browser has written."""
    scheme, _, rest = url.partition("#")[0].partition("://")
    end = _end(rest, 0)
    authority = f"{scheme}://{rest[:end]}"
    path, mark, query = rest[end:].partition("?")
    path = path or "/"
    match = _scheme(reference)
    if match is not None:
        if match[0][:-1].lower() != scheme.lower():
            return reference
        reference = reference[match.end() :]  # relative if no two slashes follow
    slashes = len(reference) - len(reference.lstrip("/\\"))
    if slashes > 1:
        return f"{scheme}://{reference[slashes:]}"
    if slashes:
        return authority + reference
    if reference[:1] == "?":
        return authority + path + reference
    if reference[:1] in ("", "#"):
        return authority + path + mark + query
    return authority + path[: path.rfind("/") + 1] + reference


def _authority_of(authority: str) -> Optional[Tuple[str, Optional[int]]]:
    """Returns the host of an authority as browsers write it, and the port if any; None if it has no valid ones."""
    authority = authority[authority.rfind("@") + 1 :]
    if len(authority) > 4096:
        return None
    authority = _without_breaks(authority)
    end = authority.find("]") + 1 if authority[:1] == "[" else authority.find(":")
    if end == 0 and authority[:1] == "[":
        return None
    text, port = (authority, "") if end < 0 else (authority[:end], authority[end:])
    if port and (port[0] != ":" or (port[1:] and not re.fullmatch("0*[1-9][0-9]{0,4}", port[1:])) or int(port[1:] or 1) > 65535):
        return None
    host = _host_of(text)
    return None if host is None else (host, int(port[1:]) if port[1:] else None)


def _host_of(host: str) -> Optional[str]:
    """Returns the host that octets are, a name or an address; None if they are none."""
    if host.startswith("["):
        return _ipv6_of(host[1:-1])
    host = re.sub("%[0-9A-Fa-f]{2}", lambda m: decoded(m[0]), host)
    if not host.isascii() or "%" in host:
        try:
            host = _in_ascii(host.encode("latin-1").decode("utf-8"))
        except UnicodeError:
            return None
    if host.endswith("."):
        host = host[:-1]
    if re.fullmatch(r"(?:.*\.)?(?:0[xX][0-9A-Fa-f]*|[0-9]+)", host, re.DOTALL):
        return _ipv4_of(host)
    is_name = len(host) <= 253 and re.fullmatch(r"[\w~!$&'()*+,=-]{1,63}(?:\.[\w~!$&'()*+,=-]{1,63})*", host, re.ASCII)
    return host.lower() if is_name else None


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


def _ipv4_of(host: str) -> Optional[str]:
    parts = [re.fullmatch("0[xX]0*([0-9A-Fa-f]{0,8})|0+([0-7]{0,11})|([1-9][0-9]{0,9})", part) for part in host.split(".")]
    numbers = [int(part[part.lastindex or 0] or "0", (16, 8, 10)[(part.lastindex or 1) - 1]) for part in parts if part]
    if not (len(numbers) == len(parts) <= 4 and max(numbers[:-1], default=0) < 256 and numbers[-1] < 256 ** (5 - len(parts))):
        return None
    value = numbers[-1] + sum(number << 8 * (3 - i) for i, number in enumerate(numbers[:-1]))
    return ".".join(map(str, value.to_bytes(4, "big")))


def _ipv6_of(literal: str) -> Optional[str]:
    from ipaddress import IPv6Address

    try:
        address = IPv6Address(literal)
    except ValueError:
        return None
    if "%" in literal:
        return None
    mapped = address.ipv4_mapped  # which Python writes in one way or another
    return f"[::ffff:{int(mapped) >> 16:x}:{int(mapped) & 0xFFFF:x}]" if mapped else f"[{address.compressed}]"
