"""A replacement for urllib.robotparser of the standard library, with the verdicts of the engine.

    from kosterhq_robotstxt.robotparser import RobotFileParser

docs/python.md lists the differences.
"""

from __future__ import annotations

import http.client
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Iterable, List, Optional, Tuple, Union
from urllib.robotparser import RequestRate

from .attempt import Attempt, Terms
from .core import DEFAULT_LIMIT, Dialect, Robots, parse, rules_of
from .dialect import require, text_of
from .libraries import fetch
from .policies import Policy
from .state import State
from .url import target_of

__all__ = ["RequestRate", "RobotFileParser"]

_rate = re.compile(r"([0-9]{1,18})\s*/\s*([0-9]{1,18})").fullmatch


class RobotFileParser:
    """Reads a robots.txt and answers questions about it.

    policy is what statuses mean to read, a row of docs/policies.md such as "careful"; by
    default 401 and 403 disallow everything, other 4xx allow everything, and after a 5xx nothing
    is known, as in the standard library. dialect is that of parse.
    """

    def __init__(self, url: str = "", policy: Optional[Policy] = None, dialect: Optional[Dialect] = None) -> None:
        self.disallow_all = False
        self.allow_all = False
        self.last_checked: float = 0
        self._terms = None if policy is None else Terms.of(policy, "Python-urllib/{}.{}".format(*sys.version_info))
        self._dialect = dialect
        self._robots: Robots = parse("", dialect)
        self.set_url(url)

    def set_url(self, url: str) -> None:
        """Sets the URL of the robots.txt."""
        require("url", url, (str,), "str")
        self.url = url
        self.host, self.path = urllib.parse.urlparse(url)[1:3]

    def mtime(self) -> float:
        """Returns when the file was read last, 0 before."""
        return self.last_checked

    def modified(self) -> None:
        """Sets the time of the last reading to now."""
        self.last_checked = time.time()

    def read(self) -> None:
        """Fetches the file, and reads it. Only the first 500 KiB count.

        With a policy, nothing that the network does is raised. Without one, whatever the standard library raises is.
        """
        self.disallow_all = self.allow_all = False
        if self._terms is None:
            status, body = self._open()
            if 200 <= status < 300:
                self._read(body)
            else:
                self.disallow_all = status in (401, 403)
                self.allow_all = not self.disallow_all and 400 <= status < 500
            return
        attempt = Attempt(self.url, self._terms)
        if self.url.lower().startswith(("http:", "https:")):
            attempt = fetch(attempt)
        else:
            try:
                if attempt.head(200, {}):
                    attempt.data(self._open()[1])
                attempt.end()
            except Exception as error:  # a data: URL can be wrong in ways of its own
                attempt.fail(error)
        effect, _ = State().after(attempt).judge(self._terms)
        self._read(bytes(attempt.body))
        self.disallow_all = effect == "disallow-all"
        self.allow_all = effect == "allow-all"

    def _open(self) -> Tuple[int, bytes]:
        """Returns the status, 200 if it is no URL of HTTP, and the beginning of the body."""
        # A program can have installed another opener, with its own redirects.
        opener = getattr(urllib.request, "_opener", None) or urllib.request.build_opener(_Redirects)
        try:
            with opener.open(self.url) as response:
                body = response.read(DEFAULT_LIMIT + 1)
                missing = getattr(response, "length", None)
                if missing and len(body) <= DEFAULT_LIMIT:
                    raise http.client.IncompleteRead(body, missing)
                return response.status or 200, body
        except urllib.error.HTTPError as error:
            with error:
                return error.code, b""

    def parse(self, lines: Iterable[Union[str, bytes]]) -> None:
        """Reads the lines of a file, in place of those read before."""
        octets = (line.encode("utf-8", "surrogateescape") if isinstance(line, str) else line for line in lines)
        self._read(b"".join(line if line.endswith(b"\n") else line + b"\n" for line in octets))

    def _read(self, body: bytes) -> None:
        self._robots = parse(body, self._dialect)
        self.modified()

    def can_fetch(self, useragent: str, url: str) -> bool:
        """Reports whether a crawler may fetch a URL. Before a file is read it may not."""
        if self.disallow_all:
            return False
        if self.allow_all:
            return True
        return bool(self.last_checked) and rules_of(self._robots, useragent).allowed(url)

    def crawl_delay(self, useragent: str) -> Union[int, float, None]:
        """Returns the Crawl-delay in seconds, an int if it is whole; None if there is none."""
        delay = rules_of(self._robots, useragent).crawl_delay
        return int(delay) if delay is not None and delay == int(delay) else delay

    def request_rate(self, useragent: str) -> Optional[RequestRate]:
        """Returns the slowest Request-rate; None if there is none."""
        rates: List[RequestRate] = []
        for value in rules_of(self._robots, useragent).request_rates:
            match = _rate(value)
            if match and int(match[2]):
                rates.append(RequestRate(int(match[1]), int(match[2])))
        return min(rates, key=lambda rate: rate.requests / rate.seconds, default=None)

    def site_maps(self) -> Optional[List[str]]:
        """Returns the values of the Sitemap lines; None if there are none."""
        return list(self._robots.sitemaps) or None

    def __str__(self) -> str:
        """Returns the groups as they are read, those for "*" last."""
        return "\n\n".join(map(text_of, self._robots.as_read()))


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to what the server names. The standard library changes some URLs."""

    def http_error_302(self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any) -> Any:
        target = target_of(req.full_url, headers.get("location", "").encode("latin-1", "ignore"))
        del headers["location"], headers["uri"]
        if target is not None:
            headers["location"] = target
        return super().http_error_302(req, fp, code, msg, headers)

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302

    def redirect_request(  # noqa: PLR0917 - the signature of the standard library
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> Any:
        return super().redirect_request(req, fp, code, msg, headers, headers["location"])
