"""Clients that fetch robots.txt files, keep them, and do what a policy says: package fetch does the same.

    from kosterhq_robotstxt.client import RobotsClient

    robots = RobotsClient("FooBot/1.0 (+https://foobot.example)")
    if robots.allowed("https://shop.example/cart"): ...

Sites knows everything without a network; the clients only move bytes for it. There is no address
guard: the library resolves names, and also requests private addresses.
"""

from __future__ import annotations

import base64
import copy
import json
import math
import re
import threading
import time
import zlib
from collections import OrderedDict
from random import uniform
from typing import Any, Callable, ClassVar, Dict, List, Literal, MutableMapping, NamedTuple, Optional, Tuple, Union

from . import policies
from .core import DEFAULT_LIMIT, Dialect, MatchedBy, Robots, Rules, parse
from .dialect import Text, quoted
from .header import declared_by
from .headers import Headers, compressions, first, headers_of, length_of, lifetime, retry_after, whole_range
from .policies import Policy
from .url import origin_of, target_of

Outcome = Literal["rules", "allow-all", "disallow-all"]
Source = Literal["network", "memory", "store", "stale", "assumed"]


class Hop(NamedTuple):
    """A redirect on the way to a robots.txt."""

    url: str
    status: int


class Fault(NamedTuple):
    """Why there is no answer."""

    kind: str
    """status, timeout or network."""
    text: str


class Site(NamedTuple):
    """The robots.txt of a site at the time of a question. Times are in seconds since 1970."""

    origin: str
    """Scheme, host and port."""
    outcome: Outcome
    source: Source
    """stale: an expired copy; assumed: the policy alone."""
    status: int
    """Of the response that decides, 0 without one."""
    url: str
    """Of the response, after redirects."""
    hops: Tuple[Hop, ...]
    fetched_at: float
    fresh_until: Optional[float]
    """None while robots.txt is unreachable and no answer is fresh."""
    failing_since: Optional[float]
    next_try: Optional[float]
    """The earliest time of the next attempt after a fault."""
    fault: Optional[Fault]
    """The last one since the last answer."""
    robots: Optional[Robots]
    """The file, if its rules decide."""


class Answer(NamedTuple):
    """Whether the crawler may fetch a URL. It is true if it may."""

    verdict: Literal["allowed", "disallowed", "unknown"]
    """unknown if the site gave no answer at all."""
    allowed: bool
    line: int
    """The deciding line of the robots.txt, 0 if no line decides."""
    matched_by: MatchedBy
    site: Site

    def __bool__(self) -> bool:
        return self.allowed


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
        """Returns the terms of a policy. ValueError: it or a limit is none."""
        if policy not in policies.POLICIES:
            raise ValueError(f"there is no policy {quoted(policy)}: use {', '.join(policies.POLICIES)}")
        if max_body < DEFAULT_LIMIT or timeout <= 0 or (max_redirects is not None and max_redirects < 5):
            raise ValueError(f"max_body must be at least {DEFAULT_LIMIT}, max_redirects 5, and timeout positive")
        terms = cls(policy, *policies.POLICIES[policy], policies.OUTAGES[policy], user_agent, max_body, timeout, now)
        return terms if max_redirects is None else terms._replace(redirects=max_redirects)

    def is_redirect(self, status: int) -> bool:
        """Reports whether a status with a target is one to follow."""
        return class_of(status) == "redirect" or (status == 300 and self.until_found)

    def is_fault(self, kind: str) -> bool:
        """Reports whether a class leaves the rules unknown."""
        return kind == "unreachable" or (self.effects[kind] == "disallow-all" and (kind == "undefined" or self.on_evidence))

    def fresh_for(self, answer: Found) -> float:
        """Returns how long an answer is fresh."""
        most = self.fresh_most if answer.is_file else min(self.fresh_most, policies.NO_FILE_FRESH)
        return min(self.fresh if answer.lifetime is None else max(answer.lifetime, policies.MIN_FRESH), most)


def class_of(status: int) -> str:
    """Returns the class of a status."""
    return next((kind for begin, kind in reversed(policies.STATUSES.items()) if status >= begin), "unreachable")


class Found(NamedTuple):
    """A response that was no fault."""

    of: str
    status: int
    url: str
    hops: Tuple[Hop, ...]
    next: Optional[str]
    """Where a redirect leads that was not followed."""
    at: float
    lifetime: Optional[float]
    truncated: bool
    body: bytes

    @property
    def is_file(self) -> bool:
        """Whether there is a file, which is a copy later."""
        return self.of in ("file", "empty-file")


class Failing(NamedTuple):
    """A run of failed attempts."""

    kind: str
    text: str
    status: int
    url: str
    hops: Tuple[Hop, ...]
    next: Optional[str]
    since: float
    tries: int
    next_try: float


class State(NamedTuple):
    """What is known about a site. Each attempt makes a new one."""

    checked_at: float = 0.0
    answer: Optional[Found] = None
    fault: Optional[Failing] = None

    def after(self, attempt: Attempt) -> State:
        """Returns the state after an attempt that is done."""
        a, now = attempt, attempt.terms.now()
        if a.fault is None:
            return State(now, Found(a.of, a.status, a.url, tuple(a.hops), a.next, now, a.lifetime, a.is_truncated, bytes(a.body)))
        last = self.fault if now - self.checked_at <= policies.OUTAGE_GAP else None
        tries = last.tries + 1 if last else 1
        most = policies.LAST_503 if a.status == 503 else policies.LAST_WAIT
        wait = min(policies.FIRST_WAIT * 2.0 ** min(tries - 1, 20), most) * uniform(0.8, 1.2)
        wait = max(wait, min(a.retry_after, policies.LONGEST_RETRY_AFTER))
        since = last.since if last and last.since <= now else now
        return State(now, self.answer, Failing(*a.fault, a.status, a.url, tuple(a.hops), a.next, since, tries, now + wait))

    def is_fresh(self, terms: Terms) -> bool:
        """Reports whether the answer is fresh. One from the future is not: one of the clocks was wrong."""
        return self.answer is not None and -policies.CLOCK_SKEW <= terms.now() - self.answer.at < terms.fresh_for(self.answer)

    def needs_try(self, terms: Terms) -> bool:
        """Reports whether it is time for another attempt."""
        wait = self.fault.next_try - terms.now() if self.fault else 0.0
        return not self.is_fresh(terms) and not 0 < wait <= policies.LONGEST_RETRY_AFTER + policies.CLOCK_SKEW

    def judge(self, terms: Terms) -> Tuple[str, bool]:
        """Returns what applies (file, copy, allow-all or disallow-all), and whether the policy alone decides."""
        answer, fault, now = self.answer, self.fault, terms.now()
        if answer and (not fault or self.is_fresh(terms)):
            return terms.effects[answer.of], False
        lasts = now - fault.since if fault and now - self.checked_at <= policies.OUTAGE_GAP else 0.0
        has_copy = answer is not None and answer.is_file
        if has_copy and terms.on_evidence:
            has_copy = -policies.CLOCK_SKEW <= now - answer.at < policies.EVIDENCE_LASTS  # type: ignore[union-attr]
        effect = next(copy if has_copy else nocopy for over, copy, nocopy in terms.outages if max(lasts, 0.0) > over)
        return effect, effect != "copy"


_controls = re.compile(r"[\0-\x1f\x7f-\x9f]")


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
        self._target: Optional[str] = None
        self._received = 0
        self._length: Optional[int] = None
        self._gzip: Optional[_Gzip] = None

    @property
    def timeout(self) -> float:
        """How many seconds are left for the whole attempt."""
        return min(max(self._ends - time.monotonic(), 0.001), threading.TIMEOUT_MAX)

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
        if time.monotonic() > self._ends:
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
            self.done = True
            self.of = "unreachable"
            self.body = bytearray()
            self.fault = Fault(kind, _controls.sub(" ", text)[:400])
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


_FORM = b"robotstxt 2 "  # of the npm package too
_TYPES = {"of": str, "kind": str, "text": str, "url": str, "next": str, "body": str, "status": int, "tries": int, "truncated": bool, "hops": list}
_OPTIONAL = ("next", "lifetime", "answer", "fault")
_TIMES = {"checked_at": "checkedAt", "at": "at", "since": "since", "next_try": "nextTry", "lifetime": "lifetime"}  # in milliseconds


def _within(terms: Terms) -> Dict[str, Any]:
    return {"policy": terms.name, "redirects": terms.redirects, "body": terms.max_body, "notFound": False}


def _entry_of(state: State, terms: Terms) -> bytes:
    """Returns a state in the form of stores."""

    def plain(value: Any) -> Any:
        if isinstance(value, bytes):
            return base64.b64encode(value).decode()
        if isinstance(value, tuple) and hasattr(value, "_asdict"):
            fields = {name: field for name, field in value._asdict().items() if field is not None}
            return {_TIMES.get(name, name): 1000 * field if name in _TIMES else plain(field) for name, field in fields.items()}
        return [plain(item) for item in value] if isinstance(value, tuple) else value

    return _FORM + json.dumps({**plain(state), "within": _within(terms)}).encode()


def _state_of(entry: bytes, terms: Terms) -> Optional[State]:
    """Reads an entry of a store; None if it is none, or was made on other terms."""
    if not isinstance(entry, bytes) or not entry.startswith(_FORM):
        return None
    row = json.loads(entry[len(_FORM) :])
    if row.pop("within") != _within(terms):
        return None

    def record(kind: Any, row: Dict[str, Any], **known: Any) -> Any:
        values = {name: row.pop(_TIMES.get(name, name), None) for name in kind._fields}
        for name, value in values.items():
            if name in _TIMES and value is not None:
                values[name] = float(value) / 1000
                if not math.isfinite(values[name]):
                    raise ValueError(name)
            elif (value is None and name not in _OPTIONAL) or (value is not None and type(value) is not _TYPES.get(name, type(value))):
                raise ValueError(name)
        if row:
            raise ValueError("another form")
        return kind(**{**values, **known})

    def hops(row: Dict[str, Any]) -> Tuple[Hop, ...]:
        return tuple(record(Hop, hop) for hop in row["hops"])

    answer, fault = row.get("answer"), row.get("fault")
    if answer is not None:
        answer = record(Found, answer, hops=hops(answer), body=base64.b64decode(answer["body"], validate=True))
        if answer.of not in terms.effects or terms.is_fault(answer.of) or len(answer.body) > terms.max_body + 1:
            return None
    if fault is not None:
        fault = record(Failing, fault, hops=hops(fault))
        if not 0 < fault.tries < 2**31:
            return None
    state: State = record(State, row, answer=answer, fault=fault)
    return state if answer or fault else None


def _joined(a: State, b: State) -> State:
    """Returns the newer of two states, with the answer of the older one if only that has it."""
    newer, older = (b, a) if a.checked_at < b.checked_at else (a, b)
    if newer.fault and older.answer and not (newer.answer and newer.answer.at >= older.answer.at):
        return newer._replace(answer=older.answer)
    return newer


_MOST_PARSED = 4 << 20


def _parsed_size(answer: Found) -> int:
    """Returns what a parsed file counts, in bytes of the file: it takes up to 28 times as much memory."""
    return max(len(answer.body), 16 << 10)


class Sites:
    """What is known about sites, without a network: a caller moves the bytes of its attempts.

    user_agent is the header of every request; it should name the crawler and a contact. agent is
    the product token to obey, or several with colons between them: by default that in user_agent.
    policy and dialect are those of docs/policies.md and parse. A file is read up to max_body
    bytes. max_redirects is how many are followed (by default 5, with policy koster 20), timeout
    how many seconds an attempt takes, and max_memory how many bytes of files are kept. store is a
    mapping from origins to bytes that outlives the process or is shared. now is the clock.
    ValueError: user_agent names no crawler, or one of them is not possible.

    It can be shared between threads.
    """

    def __init__(
        self,
        user_agent: str,
        *,
        policy: Policy = "google",
        agent: Optional[str] = None,
        dialect: Optional[Dialect] = None,
        max_body: int = DEFAULT_LIMIT,
        max_redirects: Optional[int] = None,
        timeout: float = 30.0,
        max_memory: int = 64 << 20,
        store: Optional[MutableMapping[str, bytes]] = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.terms = Terms.of(policy, user_agent, max_body=max_body, max_redirects=max_redirects, timeout=timeout, now=now)
        example = 'such as "FooBot/1.0 (+https://foobot.example)"'
        if not user_agent.strip() or _controls.search(user_agent):
            raise ValueError(f"user_agent {quoted(user_agent)}: name the crawler and a contact, {example}")
        declared = declared_by(user_agent)
        if agent is None and not declared:
            raise ValueError(f"user_agent {quoted(user_agent)} names no crawler: set agent, or begin it with your product, {example}")
        self._agent = agent if agent is not None else f'"{declared}"'
        self._dialect = dialect
        self._max_memory = max_memory
        self._store = store
        self._lock = threading.RLock()
        self._memory: OrderedDict[str, Tuple[State, Source]] = OrderedDict()  # the least recently used first
        self._size = 0
        self._files: OrderedDict[str, Tuple[Found, Robots, Rules]] = OrderedDict()
        self._parsed = 0
        parse("", dialect).rules(self._agent)  # raises the errors about them

    def attempt(self, url: Text) -> Optional[Attempt]:
        """Returns the attempt that is due for a URL's site; None if what is known suffices."""
        origin = origin_of(url)
        with self._lock:
            known, _ = self._memory.get(origin, (State(), "memory"))
            if known.needs_try(self.terms) and self._store is not None:
                stored = self._stored(origin)
                if stored is not None:
                    known = _joined(known, stored)
                    self._remember(origin, known, "store")
            return Attempt(origin + "/robots.txt", self.terms, origin) if known.needs_try(self.terms) else None

    def keep(self, attempt: Attempt) -> None:
        """Keeps the result of an attempt that is done."""
        with self._lock:
            known, _ = self._memory.get(attempt.origin, (State(), "memory"))
            state = known.after(attempt)
            self._remember(attempt.origin, state, "network")
            if self._store is not None:
                try:
                    self._store[attempt.origin] = _entry_of(state, self.terms)
                except Exception:  # then it is in memory only
                    pass

    def allowed(self, url: Text) -> bool:
        """Reports whether the crawler may fetch a URL, from what is known."""
        return self.check(url).allowed

    def check(self, url: Text) -> Answer:
        """Returns whether the crawler may fetch a URL, and why, from what is known."""
        site, rules = self._site(url)
        if rules is None:
            allowed = site.outcome == "allow-all"
            is_answered = site.source != "assumed" or (site.fault is not None and site.fault.kind == "status")
            return Answer("unknown" if not is_answered else "allowed" if allowed else "disallowed", allowed, 0, "none", site)
        verdict = rules.verdict(url)
        return Answer("allowed" if verdict else "disallowed", verdict.allowed, verdict.line, rules.matched_by, site)

    def site(self, url: Text) -> Site:
        """Returns what is known about a URL's site."""
        return self._site(url)[0]

    def _site(self, url: Text) -> Tuple[Site, Optional[Rules]]:
        origin, terms = origin_of(url), self.terms
        with self._lock:
            state, source = self._memory.get(origin, (State(), "memory"))
            if origin in self._memory:
                self._remember(origin, state, "memory")
        answer, fault = state.answer, state.fault
        effect, is_assumed = state.judge(terms)
        outcome: Any = "rules" if effect in ("file", "copy") else effect
        basis: Union[Found, Failing, None] = fault if is_assumed else answer
        status, at, hops = (basis.status, basis.url, basis.hops) if basis else (0, origin + "/robots.txt", ())
        source = "assumed" if is_assumed else "stale" if effect == "copy" else source
        robots, rules = self._read(origin, answer) if answer and outcome == "rules" else (None, None)
        site = Site(
            origin, outcome, source, status, at, hops,
            fetched_at=state.checked_at if is_assumed or not answer else answer.at,
            fresh_until=answer.at + terms.fresh_for(answer) if answer and state.is_fresh(terms) else None,
            failing_since=fault and fault.since,
            next_try=fault and fault.next_try,
            fault=fault and Fault(fault.kind, fault.text),
            robots=robots,
        )  # fmt: skip
        return site, rules

    def _read(self, origin: str, answer: Found) -> Tuple[Robots, Rules]:
        """Returns the file of a site, and its rules for the crawler. The last ones are kept."""
        with self._lock:
            kept = self._files.get(origin)
            if kept is not None and kept[0] is answer:
                self._files.move_to_end(origin)
                return kept[1:]
        robots = parse(answer.body, self._dialect, self.terms.max_body)
        rules = robots.rules(self._agent)
        with self._lock:
            self._forget(origin)
            self._files[origin] = answer, robots, rules
            self._parsed += _parsed_size(answer)
            while self._parsed > _MOST_PARSED and len(self._files) > 1:
                self._forget(next(iter(self._files)))
        return robots, rules

    def _forget(self, origin: str) -> None:
        """Removes a parsed file."""
        kept = self._files.pop(origin, None)
        if kept is not None:
            self._parsed -= _parsed_size(kept[0])

    def _remember(self, origin: str, state: State, source: Source) -> None:
        """Puts a state into memory, and removes those that were not used for longest."""
        before = self._memory.pop(origin, None)
        self._size += _size_of(state) - (_size_of(before[0]) if before else 0)
        self._memory[origin] = state, source
        while self._size > self._max_memory and len(self._memory) > 1:
            oldest, (other, _) = self._memory.popitem(last=False)
            self._size -= _size_of(other)
            self._forget(oldest)

    def _stored(self, origin: str) -> Optional[State]:
        try:
            return _state_of(self._store[origin], self.terms)  # type: ignore[index]
        except Exception:  # of the store, or about its entry: the site is asked instead
            return None


def _size_of(state: State) -> int:
    """Returns about how many bytes a state takes. The URLs are the site's, so they can be long."""
    known = [record for record in (state.answer, state.fault) if record is not None]
    urls = sum(len(record.url) + len(record.next or "") + sum(len(hop.url) + 150 for hop in record.hops) for record in known)
    return 500 + urls + (len(state.answer.body) if state.answer else 0)


class _Client:
    """What the clients have in common."""

    def __init__(self, user_agent: str, http: Any = None, **options: Any) -> None:
        self._http = http
        self._move = self._mover(http)
        self.sites = Sites(user_agent, **options)
        self._flights: Dict[str, Any] = {}

    _movers: ClassVar[Dict[Tuple[str, str], Callable[[Any, Attempt], Any]]] = {}

    def _mover(self, http: Any) -> Callable[[Any, Attempt], Any]:
        """Returns the function that makes requests with an object of a library, which may be of a class derived from it."""
        kinds = [(kind.__module__.partition(".")[0], kind.__name__) for kind in type(http).__mro__]
        for kind in kinds:
            if kind in self._movers:
                return self._movers[kind]
        known = ", ".join(".".join(kind) for kind in self._movers if kind[0] != "builtins")
        raise TypeError(f"http is {type(http).__name__}: use an object of {known}")


class RobotsClient(_Client):
    """Answers questions about URLs, and fetches robots.txt files for them.

    http makes the requests: by default urllib, or a requests.Session or httpx.Client. The options
    are those of Sites. All threads share one fetch of a site.
    """

    def __init__(self, user_agent: str, http: Any = None, **options: Any) -> None:
        super().__init__(user_agent, http, **options)
        self._lock = threading.Lock()

    def allowed(self, url: Text) -> bool:
        """Reports whether the crawler may fetch a URL now. ValueError: it is no absolute URL of HTTP."""
        return self.check(url).allowed

    def check(self, url: Text) -> Answer:
        """Returns whether the crawler may fetch a URL, and why."""
        self._learn(url)
        return self.sites.check(url)

    def site(self, url: Text) -> Site:
        """Returns the robots.txt of a URL's site: what is known while it is fresh, else from the site."""
        self._learn(url)
        return self.sites.site(url)

    def _learn(self, url: Text) -> None:
        origin = origin_of(url)
        while True:
            with self._lock:
                under_way = self._flights.get(origin)
                attempt = None if under_way else self.sites.attempt(url)
                if attempt is not None:
                    self._flights[origin] = threading.Event()
            if under_way:
                under_way.wait()
                continue
            if attempt is not None:
                try:
                    self.sites.keep(fetch(attempt, self._move, self._http))
                finally:
                    with self._lock:
                        self._flights.pop(origin).set()
            return


class AsyncRobotsClient(_Client):
    """The same for asyncio, with an httpx.AsyncClient or an aiohttp.ClientSession.

    All tasks share one fetch of a site, which goes on if one of them is cancelled.
    """

    async def allowed(self, url: Text) -> bool:
        """Reports whether the crawler may fetch a URL now. ValueError: it is no absolute URL of HTTP."""
        return (await self.check(url)).allowed

    async def check(self, url: Text) -> Answer:
        """Returns whether the crawler may fetch a URL, and why."""
        await self._learn(url)
        return self.sites.check(url)

    async def site(self, url: Text) -> Site:
        """Returns the robots.txt of a URL's site: what is known while it is fresh, else from the site."""
        await self._learn(url)
        return self.sites.site(url)

    async def _learn(self, url: Text) -> None:
        import asyncio

        origin = origin_of(url)
        flight = self._flights.get(origin)
        if flight is None:
            attempt = self.sites.attempt(url)
            if attempt is None:
                return
            flight = self._flights[origin] = asyncio.ensure_future(self._fetch(attempt))
            flight.add_done_callback(lambda _: self._flights.pop(origin))
        await asyncio.shield(flight)

    async def _fetch(self, attempt: Attempt) -> None:
        import asyncio

        while not attempt.done:
            try:
                await asyncio.wait_for(self._move(self._http, attempt), attempt.timeout)
                attempt.end()
            except Exception as error:
                attempt.fail(error)
        self.sites.keep(attempt)


def fetch(attempt: Attempt, move: Optional[Callable[[Any, Attempt], Any]] = None, http: Any = None) -> Attempt:
    """Makes the requests of an attempt, with urllib by default, and returns it when it is done. No error of the network is raised.

    The libraries apply a timeout to each read, so a site that sends a byte now and then, or interim responses for ever,
    holds them up for as long as it likes, and so do names and addresses. They work in a thread, which is left at the end.
    """
    gate = threading.Lock()

    def work() -> None:
        while not attempt.done:
            try:
                (move or _with_urllib)(http, attempt)
                attempt.end()
            except Exception as error:  # of a library: whatever it is, there is no answer
                attempt.fail(error)
        with gate:
            pass

    thread = threading.Thread(target=work, name="robots.txt", daemon=True)
    try:
        thread.start()
    except RuntimeError as error:  # the system has no more threads
        attempt.fail(error)
        return attempt
    thread.join(attempt.timeout)
    if attempt.done:
        return attempt
    ended = copy.copy(attempt)  # the thread may go on with the other one
    ended.hops = list(attempt.hops)
    ended.fail(TimeoutError("the server took too long to respond"))
    attempt.done = True
    with gate:
        if thread.is_alive():
            _end(thread)
    return ended


def _end(thread: threading.Thread) -> None:
    """Ends a thread when its present call of the system returns. PyPy cannot: there it ends when the library or the site does."""
    try:
        from ctypes import c_ulong, py_object, pythonapi
    except ImportError:
        return
    pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread.ident or 0), py_object(SystemExit))


def _read_parts(read1: Callable[[int], bytes], attempt: Attempt) -> None:
    """Reads a body in the parts in which it arrives: a whole amount of a body that drips would take longer than the timeout."""
    while True:
        chunk = read1(1 << 16)
        if not chunk or not attempt.data(chunk):
            return


def _with_urllib(_: None, attempt: Attempt) -> None:
    from urllib.request import HTTPErrorProcessor, Request, build_opener

    class Plain(HTTPErrorProcessor):
        """Returns each response as it is, without redirects and errors."""

        def http_response(self, request: Any, response: Any) -> Any:
            return response

        https_response = http_response

    with build_opener(Plain).open(Request(attempt.url, headers=attempt.headers), timeout=attempt.timeout) as response:
        if attempt.head(response.status, response.headers):
            _read_parts(response.read1, attempt)


def _with_requests(http: Any, attempt: Attempt) -> None:
    def take(response: Any, **_: Any) -> None:
        """Hides a redirect from the library, which would read its body to the end, and replaces the session's hooks, which can raise."""
        response.headers.pop("location", None)

    headers: Dict[str, Any] = attempt.headers
    auth = None
    if attempt.is_elsewhere:
        headers = {**headers, "Authorization": None}

        def auth(request: Any) -> Any:
            return request

    options = {"auth": auth, "stream": True, "allow_redirects": False, "hooks": {"response": take}}
    with http.get(attempt.url, headers=headers, timeout=attempt.timeout, **options) as response:
        if attempt.head(response.status_code, response.raw.headers):
            _read_parts(getattr(response.raw, "read1", None) or response.raw._fp.read1, attempt)


def _httpx_request(http: Any, attempt: Attempt) -> Dict[str, Any]:
    """Returns the arguments of a request with httpx."""
    request = http.build_request("GET", attempt.url, headers=attempt.headers, timeout=attempt.timeout)
    options = {"request": request, "stream": True, "follow_redirects": False}
    if attempt.is_elsewhere:
        request.headers.pop("Authorization", None)
        options["auth"] = None
    return options


def _with_httpx(http: Any, attempt: Attempt) -> None:
    response = http.send(**_httpx_request(http, attempt))
    try:
        if attempt.head(response.status_code, response.headers.raw):
            for chunk in response.iter_raw():
                if not attempt.data(chunk):
                    break
    finally:
        response.close()


async def _with_async_httpx(http: Any, attempt: Attempt) -> None:
    response = await http.send(**_httpx_request(http, attempt))
    try:
        if attempt.head(response.status_code, response.headers.raw):
            async for chunk in response.aiter_raw():
                if not attempt.data(chunk):
                    break
    finally:
        await response.aclose()


async def _with_aiohttp(http: Any, attempt: Attempt) -> None:
    from yarl import URL  # of aiohttp

    headers = attempt.headers
    if attempt.is_elsewhere and http.auth:
        raise ValueError("a redirect leads to another host, and the session has credentials for all")
    if attempt.is_elsewhere and "Authorization" in http.headers:
        headers = {**headers, "Authorization": ""}
    options = {"allow_redirects": False, "raise_for_status": False, "auto_decompress": False, "max_line_size": _LONG, "max_field_size": _LONG}
    async with http.get(URL(attempt.url, encoded=True), headers=headers, **options) as response:
        if attempt.head(response.status, response.raw_headers):
            async for chunk in response.content.iter_any():
                if not attempt.data(chunk):
                    break


_LONG = 64 << 10  # of a line of a head; all of it is bounded in headers_of
RobotsClient._movers = {("builtins", "NoneType"): _with_urllib, ("requests", "Session"): _with_requests, ("httpx", "Client"): _with_httpx}
AsyncRobotsClient._movers = {("httpx", "AsyncClient"): _with_async_httpx, ("aiohttp", "ClientSession"): _with_aiohttp}
