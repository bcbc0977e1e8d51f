"""Clients that fetch robots.txt files, keep them, and do what a policy says: package fetch does the same.

    from kosterhq_robotstxt.client import RobotsClient

    robots = RobotsClient("FooBot/1.0 (+https://foobot.example)")
    if robots.allowed("https://shop.example/cart"): ...

Sites knows everything without a network; the clients only move bytes for it. There is no address
guard: the library resolves names, and also requests private addresses.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    ClassVar,
    Coroutine,
    Dict,
    Generator,
    Literal,
    MutableMapping,
    MutableSequence,
    NamedTuple,
    NoReturn,
    Optional,
    Tuple,
    TypedDict,
    TypeVar,
    Union,
)

from .attempt import CONTROLS, Attempt, Fault, Hop, Terms
from .core import DEFAULT_LIMIT, Dialect, MatchedBy, Robots, Rules, parse
from .dialect import Text, quoted, require, require_least
from .header import declared_by
from .libraries import ASYNC_LIBRARIES, LIBRARIES, Libraries, fetch
from .policies import Policy
from .state import Failing, Found, State, entry_of, joined, state_of
from .url import origin_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Answer", "AsyncRobotsClient", "Attempt", "Fault", "Hop", "Options", "Outcome", "RobotsClient", "Site", "Sites", "Source"]

Outcome = Literal["rules", "allow-all", "disallow-all"]
Source = Literal["network", "memory", "store", "stale", "assumed"]


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
    ValueError or TypeError: user_agent names no crawler, or one of them is not possible.

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
        require("user_agent", user_agent, (str,), "str")
        require_least("max_memory", max_memory, 1)
        if store is not None and (not hasattr(type(store), "__setitem__") or isinstance(store, MutableSequence)):
            raise TypeError(f"store is {type(store).__name__}: use a mapping from origins to bytes, such as a dict or an open shelve")
        self.terms = Terms.of(policy, user_agent, max_body=max_body, max_redirects=max_redirects, timeout=timeout, now=now)
        example = 'such as "FooBot/1.0 (+https://foobot.example)"'
        if not user_agent.isascii():  # the libraries would encode it in different ways, or refuse each request
            raise ValueError(f"user_agent {quoted(user_agent)}: a header can contain only ASCII characters")
        if not user_agent.strip() or CONTROLS.search(user_agent):
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
                    known = joined(known, stored)
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
                    self._store[attempt.origin] = entry_of(state, self.terms)
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
            fresh_until=answer.at + answer.fresh_for(terms) if answer and state.is_fresh(terms) else None,
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
            return state_of(self._store[origin], self.terms)  # type: ignore[index]
        except Exception:  # of the store, or about its entry: the site is asked instead
            return None


def _size_of(state: State) -> int:
    """Returns about how many bytes a state takes. The URLs are the site's, so they can be long."""
    known = [record for record in (state.answer, state.fault) if record is not None]
    urls = sum(len(record.url) + len(record.next or "") + sum(len(hop.url) + 150 for hop in record.hops) for record in known)
    return 500 + urls + (len(state.answer.body) if state.answer else 0)


class Options(TypedDict, total=False):
    """The options of a client, which are those of Sites."""

    policy: Policy
    agent: Optional[str]
    dialect: Optional[Dialect]
    max_body: int
    max_redirects: Optional[int]
    timeout: float
    max_memory: int
    store: Optional[MutableMapping[str, bytes]]
    now: Callable[[], float]


class _Client:
    """What the clients have in common."""

    _libraries: ClassVar[Libraries]
    _other: ClassVar[str]

    def __init__(self, user_agent: str, http: Any = None, **options: Unpack[Options]) -> None:
        # An object may be of a class derived from that of the library.
        kinds = [(kind.__module__.partition(".")[0], kind.__name__) for kind in type(http).__mro__]
        found = [self._libraries[kind] for kind in kinds if kind in self._libraries]
        if not found:
            known = ", ".join(".".join(kind) for kind in self._libraries if kind[0] != "builtins")
            raise TypeError(f"http is {type(http).__name__}: use an object of {known}, or {self._other} with others")
        self._http = http
        self._library = found[0]
        self.sites = Sites(user_agent, **options)
        self._flights: Dict[str, Any] = {}


class RobotsClient(_Client):
    """Answers questions about URLs, and fetches robots.txt files for them.

    http makes the requests: by default urllib, or a requests.Session or httpx.Client. The options
    are those of Sites. All threads share one fetch of a site.
    """

    _libraries = LIBRARIES
    _other = "AsyncRobotsClient"

    def __init__(self, user_agent: str, http: Any = None, **options: Unpack[Options]) -> None:
        super().__init__(user_agent, http, **options)
        self._lock = threading.Lock()

    def allowed(self, url: Text) -> bool:
        """Reports whether the crawler may fetch a URL now. ValueError: it is not an absolute HTTP URL."""
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
                    self.sites.keep(fetch(attempt, self._library, self._http))
                finally:
                    with self._lock:
                        self._flights.pop(origin).set()
            return


_T = TypeVar("_T")


class Asked(Coroutine[Any, Any, _T]):
    """An answer to await. Without await it would be true for each URL, so as a condition it raises a TypeError."""

    def __init__(self, answer: Coroutine[Any, Any, _T]) -> None:
        self._answer = answer

    def __bool__(self) -> NoReturn:
        self._answer.close()
        raise TypeError("this answer must be awaited: if await robots.allowed(url)")

    def send(self, value: Any) -> Any:
        return self._answer.send(value)

    def throw(self, *error: Any) -> Any:
        return self._answer.throw(*error)

    def close(self) -> None:
        self._answer.close()

    def __await__(self) -> Generator[Any, Any, _T]:
        return self._answer.__await__()


class AsyncRobotsClient(_Client):
    """The same for asyncio, with an httpx.AsyncClient or an aiohttp.ClientSession.

    All tasks share one fetch of a site, which goes on if one of them is cancelled.
    """

    _libraries = ASYNC_LIBRARIES
    _other = "RobotsClient"

    def allowed(self, url: Text) -> Asked[bool]:
        """Reports whether the crawler may fetch a URL now. ValueError: it is not an absolute HTTP URL."""
        return Asked(self._ask(self.sites.allowed, url))

    def check(self, url: Text) -> Asked[Answer]:
        """Returns whether the crawler may fetch a URL, and why."""
        return Asked(self._ask(self.sites.check, url))

    def site(self, url: Text) -> Asked[Site]:
        """Returns the robots.txt of a URL's site: what is known while it is fresh, else from the site."""
        return Asked(self._ask(self.sites.site, url))

    async def _ask(self, ask: Callable[[Text], _T], url: Text) -> _T:
        await self._learn(url)
        return ask(url)

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
            task = asyncio.ensure_future(self._request(attempt))
            try:
                while not task.done() and not attempt.is_late:
                    await asyncio.wait({task}, timeout=attempt.timeout)
                if not task.done():
                    task.cancel()
                    await asyncio.wait({task})
                    raise TimeoutError("the server took too long to respond")
                task.result()
                attempt.end()
            except Exception as error:
                attempt.fail(error)
            finally:
                task.cancel()
        self.sites.keep(attempt)

    async def _request(self, attempt: Attempt) -> None:
        response, status, headers, parts = await self._library(self._http, attempt)
        try:
            if attempt.head(status, headers):
                async for part in parts:
                    if not attempt.data(part):
                        break
        finally:
            await (response.aclose() if hasattr(response, "aclose") else response.__aexit__(None, None, None))
