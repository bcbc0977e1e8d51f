"""Scrapy that obeys robots.txt as a policy says, whatever a site answers.

One line of settings is enough:

    ADDONS = {"kosterhq_robotstxt.scrapy.Addon": 300}

Scrapy's own middleware decides itself what a status or a failure means: after a 503, a timeout or
a refused connection it allows everything. With Parser alone, only the verdicts change:

    ROBOTSTXT_PARSER = "kosterhq_robotstxt.scrapy.Parser"

Settings: ROBOTSTXT_OBEY and ROBOTSTXT_USER_AGENT of Scrapy, ROBOTSTXT_DIALECT (by default as each
crawler reads), ROBOTSTXT_POLICY ("google"), ROBOTSTXT_HOLD (120: for how many seconds a request
waits for a site whose robots.txt is unreachable), ROBOTSTXT_MAX_DELAY (60: the longest Crawl-delay
that is obeyed), ROBOTSTXT_STORE (the name of a file for later runs).
"""

from __future__ import annotations

import logging
import os
import time
from typing import Any, Dict, Iterable, Optional, Set, Tuple, Union, cast
from weakref import WeakKeyDictionary, WeakSet

try:
    import scrapy
    from scrapy import Request, signals
    from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
    from scrapy.exceptions import DontCloseSpider, IgnoreRequest, NotConfigured, StopDownload
    from scrapy.http.request import NO_CALLBACK
    from scrapy.robotstxt import RobotParser
    from scrapy.utils.defer import maybe_deferred_to_future
    from twisted.internet.defer import Deferred
except ImportError as error:
    raise ImportError(f'{__name__} needs Scrapy 2.14 or later: pip install "kosterhq-robotstxt[scrapy]" ({error})') from error

from .attempt import Attempt, class_of
from .client import Site, Sites
from .core import DEFAULT_LIMIT, Dialect, Robots, Rules, parse, rules_of
from .dialect import DIALECTS, quoted, require, require_choice
from .policies import POLICIES, Policy
from .url import origin_of

_logger = logging.getLogger(__name__)
_MOST_AGENTS = 128
_MOST_HELD = 10_000
_PATIENCE = 2.0  # for how many seconds a request keeps its place while robots.txt is being fetched
_MOST_DECODED = 16 << 20
# In the meta of a request, which retries copy.
_IS_ROBOTS = "kosterhq_robotstxt"
_RETURNED = "kosterhq_robotstxt_returned"


_USE_ADDON = f'no ROBOTSTXT_POLICY, ROBOTSTXT_HOLD or other setting of this package applies: for all of it, set ADDONS = {{"{__name__}.Addon": 300}}'
_told: WeakSet[Any] = WeakSet()


class Parser(RobotParser):
    """The parser for the setting ROBOTSTXT_PARSER."""

    def __init__(self, robots: Robots) -> None:
        self.robots = robots
        self._rules: Dict[str, Rules] = {}

    @classmethod
    def from_crawler(cls, crawler: Any, robotstxt_body: bytes) -> Parser:
        """Parses a body. The crawler may be None. Scrapy's own middleware also calls it at the start of a crawl."""
        if crawler is not None and crawler not in _told:
            _told.add(crawler)
            _logger.warning("Scrapy's own middleware decides what a status or a failure of a robots.txt means, and %s", _USE_ADDON)
        return cls(parse(robotstxt_body, dialect=_dialect(crawler)))

    def allowed(self, url: Union[str, bytes], user_agent: Union[str, bytes]) -> bool:
        """Reports whether a crawler may fetch a URL.

        The user agent is a whole header, or the token in ROBOTSTXT_USER_AGENT.
        """
        return self._rules_of(user_agent).allowed(_text(url))

    def crawl_delay(self, user_agent: Union[str, bytes]) -> Optional[float]:
        """Returns the Crawl-delay in seconds, None if there is none."""
        return self._rules_of(user_agent).crawl_delay

    def _rules_of(self, user_agent: Union[str, bytes]) -> Rules:
        agent = _text(user_agent)
        rules = self._rules.get(agent)
        if rules is None:
            if len(self._rules) >= _MOST_AGENTS:
                self._rules.clear()
            rules = self._rules[agent] = rules_of(self.robots, agent)
        return rules


class Addon:
    """All of it, for the setting ADDONS."""

    def update_settings(self, settings: Any) -> None:
        """Replaces Scrapy's middleware, unless ROBOTSTXT_OBEY is set to False."""
        _require_version()
        settings.set("ROBOTSTXT_OBEY", True, "addon")
        settings.set("ROBOTSTXT_PARSER", f"{__name__}.Parser", "addon")
        settings["DOWNLOADER_MIDDLEWARES"]["scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware"] = None
        settings["DOWNLOADER_MIDDLEWARES"][f"{__name__}.Middleware"] = 100


def _require_version() -> None:
    if scrapy.version_info < (2, 14):
        raise RuntimeError(f"kosterhq_robotstxt needs Scrapy 2.14 or later, and this is {scrapy.__version__}: only its Parser works here")


def _seconds(settings: Any, name: str, default: float) -> float:
    value, seconds = settings.get(name, default), -1.0
    try:
        seconds = seconds if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    if not seconds >= 0:
        raise ValueError(f"{name} is {quoted(value)}: use a number of seconds, or 0")
    return seconds


def _is_obeyed(settings: Any) -> bool:
    try:
        return bool(settings.getbool("ROBOTSTXT_OBEY"))
    except (TypeError, ValueError):
        raise ValueError(f"ROBOTSTXT_OBEY is {quoted(settings['ROBOTSTXT_OBEY'])}: use True or False") from None


def _choice(settings: Any, name: str, choices: Iterable[str]) -> Optional[str]:
    """Returns a setting that is one of some names, None if it is not set. An empty text is none of them."""
    value = settings.get(name)
    if value is not None:
        require_choice(name, value, choices)
    return cast("Optional[str]", value)


def _agent(settings: Any) -> Any:
    """Returns the crawler to obey that is set, None if none is."""
    agent = settings["ROBOTSTXT_USER_AGENT"]
    if agent is not None:
        require("ROBOTSTXT_USER_AGENT", agent, (str, bytes), "str: a token or a header that names the crawler, or * for any")
        try:
            parse("").rules(_text(agent))
        except ValueError as error:
            raise ValueError(f"ROBOTSTXT_USER_AGENT: {error}") from None
    return agent


class Middleware:
    """Refuses what robots.txt disallows, and what a policy does while it is unreachable."""

    def __init__(self, crawler: Any) -> None:
        _require_version()
        settings = crawler.settings
        if not _is_obeyed(settings):
            raise NotConfigured(
                f"ROBOTSTXT_OBEY is False, so robots.txt is ignored. To obey it, remove that line, and set ADDONS = {{'{__name__}.Addon': 300}}"
            )
        self.crawler = crawler
        self._agent = _agent(settings)
        self._default_agent = settings["USER_AGENT"]
        self._hold = _seconds(settings, "ROBOTSTXT_HOLD", 120)
        self._max_delay = _seconds(settings, "ROBOTSTXT_MAX_DELAY", 60)
        self._store: Any = None
        name = settings.get("ROBOTSTXT_STORE")
        if name is not None:
            import dbm

            require("ROBOTSTXT_STORE", name, (str, os.PathLike), "the name of a file")
            if not os.fspath(name):
                raise ValueError("ROBOTSTXT_STORE is empty: use the name of a file, or None")
            try:
                self._store = dbm.open(os.fspath(name), "c")  # noqa: SIM115
                crawler.signals.connect(self._closed, signal=signals.spider_closed)
            except dbm.error as error:  # such as another crawl that has it open
                _logger.warning("What is known about robots.txt files is in memory only: ROBOTSTXT_STORE %s: %s", name, error)
        # Requests have agents of their own, and Scrapy its own timeouts.
        self.sites = Sites(
            "Scrapy",
            policy=cast(Policy, _choice(settings, "ROBOTSTXT_POLICY", POLICIES) or "google"),
            agent="*",
            dialect=_dialect(crawler),
            timeout=float("inf"),
            store=self._store,
        )
        self._flights: Dict[str, Tuple[Deferred[None], float]] = {}  # and when they began
        self._sizes: WeakKeyDictionary[Request, int] = WeakKeyDictionary()
        self._told: Set[str] = set()  # origins without an answer of which a warning tells
        self._last_tries: Dict[str, float] = {}  # by origin: when those that wait since the beginning of an outage wait no longer
        self._held = 0
        self._began = time.time()
        crawler.signals.connect(self._opened, signal=signals.spider_opened)
        crawler.signals.connect(self._idle, signal=signals.spider_idle)
        crawler.signals.connect(self._reached, signal=signals.request_reached_downloader)
        crawler.signals.connect(self._received, signal=signals.bytes_received)
        crawler.signals.connect(self._downloaded, signal=signals.response_downloaded)

    @classmethod
    def from_crawler(cls, crawler: Any) -> Middleware:
        """Makes the middleware, unless robots.txt is not obeyed."""
        return cls(crawler)

    async def process_request(self, request: Request, spider: Any = None) -> Optional[Request]:
        """Raises IgnoreRequest for a request that is not allowed, and returns one that has waited to the scheduler."""
        if request.meta.get("dont_obey_robotstxt") or not request.url.startswith(("http:", "https:")):
            return None
        try:
            origin = origin_of(request.url)
        except ValueError as error:
            raise IgnoreRequest(str(error)) from None
        place = _Place(self, request)
        try:
            site = await self._known(origin, request, place)
        finally:
            place.take_again()
        # The scheduler lets other sites go first, and can keep requests for a later run.
        is_closing = self._is_closing()
        if place.was_left if _wait_for(site) is None else is_closing:
            if not is_closing:
                return request.replace(dont_filter=True)
            if request.meta.get(_RETURNED) != self._began:  # a caller of download_async has no scheduler, and would ask for ever
                return request.replace(dont_filter=True, meta={**request.meta, _RETURNED: self._began})
        agent = self._agent or request.headers.get(b"User-Agent") or self._default_agent or "*"
        rules = rules_of(site.robots, _text(agent)) if site.robots else None
        if site.outcome == "disallow-all" or (rules is not None and not rules.allowed(request.url)):
            self.crawler.stats.inc_value("robotstxt/forbidden")
            reason = "Forbidden by robots.txt" if rules else "Forbidden while robots.txt is unreachable or refused"
            _logger.debug("%s: %s", reason, request)
            raise IgnoreRequest(reason)
        delay = min(rules.crawl_delay or 0, self._max_delay) if rules else 0
        if delay > 0:
            _, slot = self.crawler.engine.downloader._get_slot(request)
            if slot.delay < delay:
                slot.delay = delay
                setattr(slot, *(("jitter", 0.0) if hasattr(slot, "jitter") else ("randomize_delay", False)))  # it is the least delay
        return None

    async def _known(self, origin: str, request: Request, place: _Place) -> Site:
        """Returns what is known about a site, after an outage if that is short."""
        deadline = 0.0
        now = time.time()
        while True:
            await self._learn(origin, request, place, now)
            site = self.sites.site(origin)
            self._tell(site)
            wait, now = _wait_for(site), time.time()
            deadline = deadline or now + self._hold
            last = self._last_tries.get(origin, 0.0)
            if wait is not None and last > now:
                wait = min(wait, last - now)
            if wait is None or now + wait > deadline or self._is_closing():
                return site
            place.leave()
            await _sleep(min(wait + 0.01, 5))  # in parts: a crawl that is stopped ends

    def _is_closing(self) -> bool:
        slot = self.crawler.engine._slot
        return not self.crawler.crawling or slot is None or slot.closing is not None

    def _tell(self, site: Site) -> None:
        """Logs an outage once."""
        if site.fault is None:
            self._told.discard(site.origin)
        elif site.origin not in self._told:
            self._told.add(site.origin)
            effect = "its pages are allowed"
            if site.outcome == "rules":
                effect = "its last copy applies"
            elif site.outcome == "disallow-all":
                effect = "its pages are refused"
                if _wait_for(site) is not None:
                    effect += f", unless it answers within ROBOTSTXT_HOLD ({self._hold:g} s)"
            _logger.warning("No robots.txt from %s: %s: %s", site.origin, site.fault.text, effect)

    async def _learn(self, origin: str, request: Request, place: _Place, since: float) -> None:
        """Fetches a robots.txt if that is due, once, however many requests wait for it.

        For those that wait since a time, a last try is due at the end of ROBOTSTXT_HOLD: the one before can be long ago then.
        """
        flight, began = self._flights.get(origin, (None, 0.0))
        if flight is not None:
            waiting: Deferred[None] = Deferred()
            flight.addCallback(lambda _: waiting.callback(None))
            place.leave_after(began + _PATIENCE - time.time())
            await maybe_deferred_to_future(waiting)
            return
        attempt = self.sites.attempt(origin)
        if attempt is None and since < self._last_tries.get(origin, 0.0) <= time.time():
            attempt = Attempt(f"{origin}/robots.txt", self.sites.terms, origin)
            del self._last_tries[origin]
        if attempt is None:
            return
        flight = Deferred()
        self._flights[origin] = flight, time.time()
        place.leave_after(_PATIENCE)
        try:
            is_retry = self.sites.site(origin).fault is not None
            if await self._fetch(attempt, is_retry) and attempt.fault and not is_retry:
                attempt = Attempt(f"{origin}/robots.txt", self.sites.terms, origin)  # the cache has kept an old fault
                await self._fetch(attempt, True)
            self.sites.keep(attempt)
            if attempt.fault and not attempt.retry_after:
                if not is_retry:
                    self._last_tries[origin] = time.time() + self._hold
            else:  # an answer, or no sooner than the site says
                self._last_tries.pop(origin, None)
            robots = None if attempt.fault else self.sites.site(origin).robots
            if robots and hasattr(signals, "robots_parsed"):
                await self.crawler.signals.send_catch_log_async(signal=signals.robots_parsed, robotparser=Parser(robots), request=request)
        finally:
            del self._flights[origin]
            flight.callback(None)

    async def _fetch(self, attempt: Attempt, is_retry: bool) -> bool:
        """Makes the requests of an attempt. It returns whether the last response is from Scrapy's cache."""
        is_cached = False
        meta = {"dont_obey_robotstxt": True, "dont_redirect": True, "allow_offsite": True, "download_maxsize": _MOST_DECODED, _IS_ROBOTS: True}
        if is_retry:  # it comes after a wait, and the next one after a longer one
            meta["dont_cache"] = meta["dont_retry"] = True
        while not attempt.done:
            try:
                request = Request(attempt.url, priority=1000, headers={"Accept-Encoding": "identity"}, meta=dict(meta), callback=NO_CALLBACK)
                response = await self.crawler.engine.download_async(request)
                self.crawler.stats.inc_value(f"robotstxt/response_status_count/{response.status}")
                is_cached = "cached" in response.flags
                if "dataloss" in response.flags:
                    raise ValueError("the body was cut")
                # Twisted compares Content-Length, which is that of the body before it is decompressed.
                headers = [(name, values) for name, values in response.headers.items() if name != b"Content-Length"]
                if attempt.head(response.status, headers):
                    attempt.data(response.body)
                attempt.end()
            except Exception as error:  # of the network, a middleware, a store: the rules are unknown
                self.crawler.stats.inc_value(f"robotstxt/exception_count/{type(error)}")
                attempt.fail(error)
        return is_cached

    def _opened(self) -> None:
        """Tells what is wrong with the settings."""
        kinds = [type(middleware) for middleware in self.crawler.engine.downloader.middleware.middlewares]
        own = [kind.__name__ for kind in kinds if issubclass(kind, RobotsTxtMiddleware)]
        if own:
            _logger.error("%s applies robots.txt too, in another way: set it to None in DOWNLOADER_MIDDLEWARES", ", ".join(own))
        before = [
            kind.__name__ for kind in kinds[: kinds.index(type(self))] if kind.__module__.startswith("scrapy.") and "Offsite" not in kind.__name__
        ]
        if before:
            _logger.error(
                "%s can answer a request before robots.txt is obeyed: in DOWNLOADER_MIDDLEWARES, set %s.Middleware to 100",
                ", ".join(before),
                __name__,
            )

    def _idle(self) -> None:
        """Keeps the crawl open for requests that wait: what their pages link to comes later."""
        if self._held:
            raise DontCloseSpider

    # Scrapy has one bound for what is downloaded, which fails, and for what that decompresses to. A file may be longer
    # than is read of it, so the bound is for the latter only.

    def _reached(self, request: Request, **_: Any) -> None:
        if _IS_ROBOTS in request.meta and self._can_stop(request):
            request.meta["download_maxsize"] = 0

    def _can_stop(self, request: Request) -> bool:
        """Reports whether the handler sends the signal that stops a download. That of HTTP/2 does not: there a longer file is a fault."""
        handler = self.crawler.engine.downloader.handlers._get_handler(request.url.partition(":")[0])
        return any(kind.__name__ in ("HTTP11DownloadHandler", "BaseStreamingDownloadHandler") for kind in type(handler).__mro__)

    def _downloaded(self, request: Request, **_: Any) -> None:
        if _IS_ROBOTS in request.meta:
            request.meta["download_maxsize"] = _MOST_DECODED

    def _received(self, data: bytes, request: Request, **_: Any) -> None:
        """Stops the download of a robots.txt after the bytes that count, and one more."""
        if _IS_ROBOTS in request.meta:
            self._sizes[request] = self._sizes.get(request, 0) + len(data)
            if self._sizes[request] > DEFAULT_LIMIT:
                raise StopDownload(fail=False)

    def _closed(self) -> None:
        self._store.close()


class _Place:
    """The place of a request in CONCURRENT_REQUESTS. While a site lets it wait, others have it: else one dead site would stop the crawl."""

    def __init__(self, middleware: Middleware, request: Request) -> None:
        self._middleware = middleware
        self._request = request
        self._active = middleware.crawler.engine.downloader.active
        self._is_over = False
        self.was_left = False

    def leave(self) -> None:
        """Leaves the place, unless too many requests wait."""
        if not (self.was_left or self._is_over) and self._middleware._held < _MOST_HELD and self._request in self._active:
            self._active.remove(self._request)
            self._middleware._held += 1
            self.was_left = True

    def leave_after(self, seconds: float) -> None:
        """Leaves the place if the request still waits then."""
        from scrapy.utils.asyncio import call_later

        if seconds <= 0:
            self.leave()
        else:
            call_later(seconds, self.leave)

    def take_again(self) -> None:
        """Ends the waiting."""
        self._is_over = True
        if self.was_left:
            self._active.add(self._request)
            self._middleware._held -= 1


async def _sleep(seconds: float) -> None:
    from scrapy.utils.asyncio import call_later

    waiting: Deferred[None] = Deferred()
    call_later(seconds, waiting.callback, None)
    await maybe_deferred_to_future(waiting)


def _wait_for(site: Site) -> Optional[float]:
    """Returns for how long a site is not asked again, None if its answer is not an outage."""
    is_outage = site.fault and (site.fault.kind != "status" or class_of(site.status) == "unreachable")
    if site.outcome != "disallow-all" or not is_outage or site.next_try is None:
        return None
    return max(site.next_try - time.time(), 0.0)


def _dialect(crawler: Any) -> Optional[Dialect]:
    return cast("Optional[Dialect]", _choice(crawler.settings, "ROBOTSTXT_DIALECT", DIALECTS)) if crawler else None


def _text(text: Union[str, bytes]) -> str:
    return text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text
