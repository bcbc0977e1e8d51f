"""The headers of responses: fetch/cachecontrol.go and internal/contentcoding do the same.

Names are in lower case, and a name has all its values. Times and results are in seconds.
"""

from __future__ import annotations

import re
from calendar import timegm
from email.utils import parsedate_tz
from typing import Any, Dict, Iterable, Iterator, List, Optional

from .dialect import quoted

Headers = Dict[str, List[str]]

_MOST = 64 << 10
_MAX_AGE = 2**31 - 1  # replaces what does not fit into 31 bits [RFC 9111 1.2.2]
_is_digits = re.compile("[0-9]+", re.ASCII).fullmatch
_is_date = re.compile("[A-Za-z]{3,9},? .*[0-9]{2}:[0-9]{2}:[0-9]{2}", re.ASCII).match
_quote_or_comma = re.compile('[",]').search
_quoted = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL).match
_whole = re.compile(r"\s*bytes 0-([0-9]+)/([0-9]+)\s*", re.ASCII | re.IGNORECASE).fullmatch
_is_plain = re.compile(
    "|identity|none|null|off|plain|text|text/plain|text/html|binary|[78]bit|chunked|ascii|us-ascii|utf8|latin1"
    "|(?:utf-|iso-8859-|windows-12|charset=).*"
).fullmatch


def headers_of(headers: Any) -> Headers:
    """Returns the headers of a library's response, a mapping or pairs; a value is a str, bytes, or a list of them.

    Octets are characters, as in http.client. ValueError: they are more than 64 KiB.
    """
    found: Headers = {}
    size = 0
    pairs: Iterable[Any] = headers.items() if hasattr(headers, "items") else headers
    for name, value in pairs:
        for text in map(_text, value if isinstance(value, (list, tuple)) else [value]):
            size += len(name) + len(text) + 4
            if size > _MOST:
                raise ValueError("the headers of the response are too large")
            found.setdefault(_text(name).lower(), []).append(text)
    return found


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def first(headers: Headers, name: str) -> str:
    """Returns the first value of a header, "" if there is none."""
    return headers.get(name, [""])[0]


def _age(text: str) -> Optional[float]:
    """Parses delta-seconds [RFC 9111 1.2.2]."""
    if not _is_digits(text):
        return None
    return float(_MAX_AGE if len(text.lstrip("0")) > 10 else min(int(text), _MAX_AGE))


def _date(text: str) -> Optional[float]:
    """Parses a date as HTTP writes it: the library also accepts other texts."""
    parts = parsedate_tz(text) if _is_date(text) else None
    try:
        return None if parts is None else timegm((*parts[:6], 0, 1, 0)) - (parts[9] or 0)
    except (ValueError, OverflowError):
        return None


def _elements(value: str) -> Iterator[str]:
    """Yields the elements of a list.

    A comma in a quoted string separates nothing. A quote without an end is an ordinary character. [RFC 9110 5.6.1, 5.6.4]
    """
    begin = at = 0
    is_balanced = True
    while True:
        mark = _quote_or_comma(value, at)
        if mark is None:
            break
        at = mark.end()
        if mark[0] == ",":
            yield value[begin : at - 1]
            begin = at
        elif is_balanced:
            quoted = _quoted(value, at - 1)
            is_balanced = quoted is not None
            at = quoted.end() if quoted else at
    yield value[begin:]


def lifetime(headers: Headers, now: float) -> Optional[float]:
    """Returns how long a response is fresh after its arrival, None if its headers do not say it.

    s-maxage takes precedence over max-age, and both over Expires. [RFC 9111 4.2.1]
    """
    age = _age(first(headers, "age")) or 0.0
    ages: Dict[str, float] = {}
    for value in headers.get("cache-control", ()):
        for element in _elements(value):
            name, _, argument = element.partition("=")
            name = name.strip().lower()
            stated = _age(argument.strip().strip('"'))
            if name in ("no-store", "no-cache"):
                return 0.0
            if stated is not None:
                ages.setdefault(name, stated)
    for name in ("s-maxage", "max-age"):
        if name in ages:
            return max(ages[name] - age, 0.0)
    expires = first(headers, "expires")
    if not expires:
        return None
    at, date = _date(expires), _date(first(headers, "date"))
    return 0.0 if at is None else _bounded(at - (now if date is None else date + age))


def retry_after(headers: Headers, now: float) -> float:
    """Returns the wait that Retry-After requests, 0 if none [RFC 9110 10.2.3]."""
    value = first(headers, "retry-after").strip()
    wait, at, date = _age(value), _date(value), _date(first(headers, "date"))
    return wait if wait is not None else 0.0 if at is None else _bounded(at - (now if date is None else date))


def _bounded(seconds: float) -> float:
    return min(max(seconds, 0.0), float(_MAX_AGE))


def compressions(headers: Headers) -> List[str]:
    """Returns the compressions that Content-Encoding names, without names that are none."""
    codings = (coding.strip().lower() for coding in ",".join(headers.get("content-encoding", ())).split(","))
    return [coding for coding in codings if not _is_plain(coding)]


def length_of(headers: Headers) -> Optional[int]:
    """Returns the Content-Length, None if there is none or chunks replace it. ValueError: it is no number, or several."""
    codings = [coding.strip().lower() for coding in headers.get("transfer-encoding", ())]
    if codings == ["chunked"]:  # [RFC 9112 6.3]
        return None
    if codings:
        raise ValueError(f"Transfer-Encoding {quoted(', '.join(codings))}")
    lengths = {length.strip() for value in headers.get("content-length", ()) for length in value.split(",")}
    if not lengths:
        return None
    (length,) = lengths
    if not _is_digits(length):
        raise ValueError(f"Content-Length {quoted(length)}")
    return int(length[:19])


def whole_range(headers: Headers) -> Optional[int]:
    """Returns n for a Content-Range of "bytes 0-(n-1)/n", unless the Content-Length differs [RFC 9110 14.4]."""
    match = _whole(first(headers, "content-range")) if len(headers.get("content-range", ())) == 1 else None
    n = int(match[2]) if match and len(match[2]) < 19 else 0
    return n if match and n > 0 and match[1] == str(n - 1) and length_of(headers) in (None, n) else None
