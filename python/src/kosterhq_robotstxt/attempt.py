"""One attempt to fetch a robots.txt, without a network: fetch/http.go does the same."""

from __future__ import annotations

import re
import threading
import time
import zlib
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from . import policies
from .core import DEFAULT_LIMIT, parse
from .dialect import require, require_choice, require_least
from .headers import Headers, compressions, first, headers_of, length_of, lifetime, retry_after, whole_range
from .url import target_of


class Hop(NamedTuple):
    """A redirect on the way to a robots.txt."""

    url: str
    status: int


class Fault(NamedTuple):
    """Why there is no answer."""

    kind: str
    """status, timeout or network."""
    text: str


class Terms(NamedTuple):
    """What an attempt needs to know: a row of docs/policies.md, and the limits of a client."""

    name: str
    effects: Dict[str, str]
    fresh: int
    fresh_most: int
    redirects: int
    until_found: bool
    on_evidence: bool
    outages: Tuple[Tuple[int, str, str], ...]
    user_agent: str
    max_body: int
    timeout: float
    now: Callable[[], float]

    @classmethod
    def of(
        cls,
        policy: str,
        user_agent: str,
        *,
        max_body: int = DEFAULT_LIMIT,
        max_redirects: Optional[int] = None,
        timeout: float = 30.0,
        now: Callable[[], float] = time.time,
    ) -> Terms:
        """Returns the terms of a policy. ValueError or TypeError: it or a limit is none."""
        require_choice("policy", policy, policies.POLICIES)
        require_least("max_body", max_body, DEFAULT_LIMIT)
        if max_redirects is not None:
            require_least("max_redirects", max_redirects, 5)
        require("timeout", timeout, (int, float), "a number of seconds")
        if not timeout > 0:
            raise ValueError(f"timeout is {timeout}: use a positive number of seconds")
        if not callable(now):
            raise TypeError(f"now is {type(now).__name__}: use a function such as time.time")
        terms = cls(policy, *policies.POLICIES[policy], policies.OUTAGES[policy], user_agent, max_body, timeout, now)
        return terms if max_redirects is None else terms._replace(redirects=max_redirects)

    def is_redirect(self, status: int) -> bool:
        """Reports whether a status with a target is one to follow."""
        return class_of(status) == "redirect" or (status == 300 and self.until_found)

    def is_fault(self, kind: str) -> bool:
        """Reports whether a class leaves the rules unknown."""
        return kind == "unreachable" or (self.effects[kind] == "disallow-all" and (kind == "undefined" or self.on_evidence))


def class_of(status: int) -> str:
    """Returns the class of a status."""
    return next((kind for begin, kind in reversed(policies.STATUSES.items()) if status >= begin), "unreachable")


_MOST_WAITS = 10  # timeouts that an attempt waits for a connection
CONTROLS = re.compile(r"[\0-\x1f\x7f-\x9f]")


class Attempt:
    """One attempt to fetch a robots.txt. It asks for one URL after another until it is done.

    A caller requests url with headers, and follows no redirect. It calls head, as long as that
    and data return True data with each part of the body, and then end; or fail at any time.
    """

    def __init__(self, url: str, terms: Terms, origin: str = "") -> None:
        self.url = url
        self.terms = terms
        self.origin = origin
        self.headers = {"User-Agent": terms.user_agent, "Accept": "text/plain, */*;q=0.5", "Accept-Encoding": "identity"}
        self.done = False
        self.of = "unreachable"
        self.status = 0
        self.hops: List[Hop] = []
        self.next: Optional[str] = None
        self.lifetime: Optional[float] = None
        self.retry_after = 0.0
        self.fault: Optional[Fault] = None
        self.body = bytearray()
        self.is_truncated = False
        self._ends = time.monotonic() + terms.timeout
        self._rest: Optional[float] = None  # of the timeout, while there is no connection
        self._target: Optional[str] = None
        self._received = 0
        self._length: Optional[int] = None
        self._gzip: Optional[_Gzip] = None

    @property
    def timeout(self) -> float:
        """How many seconds are left for the whole attempt, without those for which it waits for a connection."""
        left = self._ends - time.monotonic() if self._rest is None else self._rest
        return min(max(left, 0.001), threading.TIMEOUT_MAX)

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() > self._ends

    def wait(self) -> float:
        """Stops the clock until begin: other requests can have all connections. It returns for how many seconds it may wait."""
        self._rest = self.timeout
        most = min(_MOST_WAITS * self.terms.timeout, threading.TIMEOUT_MAX)
        self._ends = time.monotonic() + most
        return most

    def begin(self) -> None:
        """Starts the clock again: there is a connection."""
        if self._rest is not None:
            self._ends, self._rest = time.monotonic() + self._rest, None

    @property
    def is_elsewhere(self) -> bool:
        """Whether a redirect leads to another origin, whose business the credentials of a session are not."""
        return not self.url.startswith(f"{self.origin}/")

    def head(self, status: int, headers: Any, is_decoded: bool = False) -> bool:
        """Takes the head of a response. It returns True if the body is needed.

        headers are a mapping or pairs. is_decoded is whether the library decompresses a body whose
        Content-Encoding is "gzip" and no more.
        """
        if self.done:
            return False
        self.begin()
        self._target = None
        try:
            read = headers_of(headers)
            length = length_of(read)
        except ValueError as error:
            return self._refuse("network", f"no valid response: {error}")
        self.status = status
        terms, of = self.terms, class_of(status)
        if of == "redirect" or status == 300:
            target = target_of(self.url, first(read, "location").encode("latin-1", "replace"))
            if target is not None and terms.is_redirect(status) and len(self.hops) < terms.redirects:
                self._target = target
                return False
            self.next = target
            if terms.is_redirect(status):
                if terms.on_evidence or (target is not None and terms.until_found):
                    of = "unreachable"
                elif of == "redirect":
                    of = "unavailable"  # like 404
        if status == 206 and whole_range(read) is not None:
            of = "file"
        now = terms.now()
        self.of, self.lifetime = of, lifetime(read, now)
        if terms.is_fault(of):
            self.retry_after = retry_after(read, now)
            return self._refuse("status", f"HTTP status {status}")
        return of == "file" and self._begin(read, length, is_decoded)

    def _begin(self, headers: Headers, length: Optional[int], is_decoded: bool) -> bool:
        coded = compressions(headers)
        if len(coded) > 1 or (coded and coded[0] not in ("gzip", "x-gzip")):
            return self._refuse("network", f"the server sent Content-Encoding {', '.join(coded)}, and no compression was requested")
        is_decoded = is_decoded and [value.lower() for value in headers.get("content-encoding", ())] == ["gzip"]
        if not is_decoded:
            self._length = whole_range(headers) if self.status == 206 else length
        self._gzip = _Gzip() if coded and not is_decoded else None
        return True

    def data(self, chunk: bytes) -> bool:
        """Takes a part of the body. It returns False if that is enough."""
        if self.done or self.is_truncated:
            return False
        self._received += len(chunk)
        if self.is_late:
            return self._refuse("timeout", "the server took too long to respond")
        most = self.terms.max_body
        if self._gzip:
            if self._received > 2 * most + (64 << 10):
                return self._refuse("network", "the response is too large")
            try:
                chunk = self._gzip.decoded(chunk, most + 1 - len(self.body))
            except zlib.error as error:
                return self._refuse("network", f"the body is not valid gzip: {error}")
        self.body += chunk[: most + 1 - len(self.body)]
        self.is_truncated = len(self.body) > most
        return not self.is_truncated

    def end(self) -> None:
        """Takes the end of a response."""
        if self.done:
            return
        if self._target is not None:
            self.hops.append(Hop(self.url, self.status))
            self.url, self._target, self.status = self._target, None, 0
            return
        if self.status == 0:
            self._refuse("network", "there was no response")
        elif self.of == "file":
            is_short = self._length not in (None, self._received) or (self._gzip is not None and not self._gzip.is_whole)
            if is_short and not self.is_truncated:
                self._refuse("network", f"the body was cut after {self._received} bytes")
            elif self.terms.on_evidence:
                robots = parse(bytes(self.body), limit=self.terms.max_body)
                if robots.body in ("html", "binary") or (robots.truncated and robots.body == "empty"):
                    self._refuse("status", f"HTTP status {self.status}: {robots.body} instead of a robots.txt")
        self.done = True

    def fail(self, error: BaseException) -> None:
        """Takes the error of a library, in place of a response or of its rest."""
        if self.is_truncated:  # all that counts has arrived
            self.end()
            return
        kind = "timeout" if "timeout" in type(error).__name__.lower() else "network"  # socket.timeout too
        self._refuse(kind, f"{type(error).__name__}: {error}")

    def _refuse(self, kind: str, text: str) -> bool:
        if not self.done:
            self.of = "unreachable"
            self.body = bytearray()
            self.fault = Fault(kind, CONTROLS.sub(" ", text)[:400])
            self.done = True  # last: another thread may look at it
        return False


_PART = 4096  # zlib copies what follows a member, and there can be thousands of members


class _Gzip:
    """Decodes members of gzip. As curl and browsers do, it ignores what follows the last one."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(31)
        self._rest = b""
        self._is_over = False
        self._is_begun = False

    @property
    def is_whole(self) -> bool:
        return self._is_over or self._member.eof or not self._is_begun

    def decoded(self, chunk: bytes, most: int) -> bytes:
        self._is_begun = self._is_begun or bool(chunk)
        out = b""
        for at in range(0, len(chunk), _PART):
            out += self._part(chunk[at : at + _PART], most - len(out))
        return out

    def _part(self, chunk: bytes, most: int) -> bytes:
        out = b""
        while chunk and not self._is_over and len(out) < most:
            if self._member.eof:
                chunk = self._rest + chunk
                self._rest = b""
                if chunk == b"\x1f":
                    self._rest = chunk
                    break
                if not chunk.startswith(b"\x1f\x8b"):
                    self._is_over = True
                    break
                self._member = zlib.decompressobj(31)
            out += self._member.decompress(chunk, most - len(out))
            chunk = self._member.unused_data
        return out
