"""Octets, and what differs between dialects: dialect.go has the same table.

Texts inside the package are octets: str in which each character is a byte. Code elsewhere tests
one of the properties of a dialect and never compares dialects.
"""

from __future__ import annotations

import re
from typing import Callable, Iterable, Match, NamedTuple, Optional, Pattern, Tuple, Union

Text = Union[str, bytes, bytearray, memoryview]

SPACE = " \t\n\v\f\r"
"""White space of C. Unicode has more."""

PERCENT = [f"%{octet:02X}" for octet in range(256)]
"""The percent code of each octet."""

_stray = re.compile("[\ud800-\udc7f\udd00-\udfff]")
_wrong = re.compile("[\udc80-\udcff]")
_letters = re.compile("[A-Z]+")


def octets_of(text: Text, name: str) -> str:
    """Returns the octets of bytes, or of a str in UTF-8. The name of the argument is for errors.

    A surrogate of "surrogateescape" is its byte, another one U+FFFD.
    """
    if isinstance(text, str):
        if text.isascii():
            return text
        try:
            data = text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            data = _stray.sub("\ufffd", text).encode("utf-8", "surrogateescape")
        return data.decode("latin-1")
    if not isinstance(text, (bytes, bytearray, memoryview)):
        raise TypeError(f"{name} is {type(text).__name__}: use str or bytes")
    return bytes(text).decode("latin-1")


def text_of(octets: str) -> str:
    """Returns the text of octets, with U+FFFD for each byte that is not UTF-8."""
    if octets.isascii():
        return octets
    return _wrong.sub("\ufffd", octets.encode("latin-1").decode("utf-8", "surrogateescape"))


def quoted(text: object) -> str:
    """Returns an argument in quotes, for errors: no more than 80 characters of it."""
    if isinstance(text, str):
        return repr(_cut(text))
    return _cut(repr(text))


def _cut(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}\u2026"


def require(name: str, value: object, kinds: Tuple[type, ...], use: str) -> None:
    """Raises the TypeError about an argument of another type. A bool is not a number."""
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise TypeError(f"{name} is {type(value).__name__}: use {use}")


def require_least(name: str, value: object, least: int) -> None:
    """Raises the error about an argument that is not an int of at least some size."""
    require(name, value, (int,), "int")
    if value < least:  # type: ignore[operator]
        raise ValueError(f"{name} is {value}: use at least {least}")


def require_choice(name: str, value: object, choices: Iterable[str], otherwise: str = "") -> None:
    """Raises the ValueError about an argument that is none of some names."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} {quoted(value)}: use {', '.join(choices)}{otherwise}")


def fold(octets: str) -> str:
    """Returns octets with the letters of ASCII in lower case."""
    return octets.lower() if octets.isascii() else _letters.sub(lambda m: m[0].lower(), octets)


def decoded(code: str) -> str:
    """Returns the octet of a percent code."""
    return chr(int(code[1:], 16))


class Traits(NamedTuple):
    """The properties of a dialect."""

    name: str
    token: Pattern[str]
    """The product token at the beginning of an agent line."""
    encode: Callable[[str, bool], str]
    """Returns a text in the form that is compared; the bool says whether it is a rule's."""
    literal: Callable[[str], Optional[Match[str]]]
    """Matches the beginning of a rule that is the same in canonical form, without wildcards."""
    drop_star: bool = False
    """A final star is not part of the token."""
    wildcards: bool = False
    """'*' and a final '$' are wildcards, and rules without a path count."""
    index_rule: bool = False
    """"Allow: .../index.htm..." matches the folder too."""
    query_slash: bool = False
    """A slash of the query is written %2F."""
    open_robots: bool = False
    """/robots.txt is always allowed."""
    records: bool = False
    """Groups end at empty lines, only the first one of a token applies, in it the first rule
    that matches decides, and the query is not compared."""


_google = re.compile("%[0-9A-Fa-f]{2}|[\x80-\xff]")
_rfc = re.compile(r"%[0-9A-Fa-f]{2}|[^\w.~?&=/-]", re.ASCII)
_unreserved = re.compile(r"[\w.~-]", re.ASCII)
_koster = re.compile("%(?:[0-9A-Fa-f]{2})?")


def _google_code(match: Match[str]) -> str:
    code = match[0]
    return code.upper() if len(code) > 1 else PERCENT[ord(code)]


def encode_google(text: str, is_rule: bool = True) -> str:
    """Writes bytes above 0x7F as percent codes, and the digits of codes in upper case."""
    return _google.sub(_google_code, text) if is_rule and ("%" in text or not text.isascii()) else text


def _encode_rfc(text: str, is_rule: bool) -> str:
    def code(match: Match[str]) -> str:
        code = match[0]
        if len(code) > 1:
            octet = decoded(code)
            return octet if _unreserved.match(octet) else code.upper()
        return code if code == "*" and is_rule else PERCENT[ord(code)]

    path, mark, query = text.partition("?")
    return _rfc.sub(code, path) + mark + _rfc.sub(code, query).replace("/", "%2F")


def _koster_code(match: Match[str]) -> str:
    code = match[0].upper()
    return decoded(code) if code not in ("%", "%2F", "%25") else code if len(code) > 1 else "%25"


def _encode_koster(text: str, is_rule: bool) -> str:
    return _koster.sub(_koster_code, text)


_google_literal = re.compile("[^%*$\x80-\xff]*").match
_rfc_literal = re.compile(r"[\w.~&=/-]*", re.ASCII).match
_koster_literal = re.compile("[^%]*").match

DIALECTS = {
    traits.name: traits
    for traits in (
        Traits("google", re.compile("[A-Za-z_-]*"), encode_google, _google_literal, wildcards=True, index_rule=True),
        Traits("rfc9309", re.compile("[^ \t/]*"), _encode_rfc, _rfc_literal, drop_star=True, wildcards=True, query_slash=True, open_robots=True),
        Traits("koster1996", re.compile('[^\\0-\x20()<>@,;:\\\\"/[\\]?={}\x7f-\xff]*'), _encode_koster, _koster_literal, records=True),
    )
}
