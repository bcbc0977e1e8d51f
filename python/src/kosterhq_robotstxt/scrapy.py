"""The parser for Scrapy, and a middleware that reads what a site answers as the policies do.

    ROBOTSTXT_PARSER = "kosterhq_robotstxt.scrapy.Parser"

Scrapy itself decides what a status or a failure means: with the parser alone, a 503, a timeout
or a refused connection allows everything. The middleware gives them the meaning of a policy:

    DOWNLOADER_MIDDLEWARES = {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "kosterhq_robotstxt.scrapy.Middleware": 100,
    }

Settings: ROBOTSTXT_OBEY and ROBOTSTXT_USER_AGENT of Scrapy, ROBOTSTXT_DIALECT (by default as
each crawler reads), ROBOTSTXT_POLICY ("google").
"""

from __future__ import annotations

import logging
import time
from typing import Any, Dict, Optional, Tuple, Union
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from scrapy import Request, signals
from scrapy.exceptions import IgnoreRequest, NotConfigured, StopDownload
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import RobotParser
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from .core import DEFAULT_LIMIT, Robots, Rules, parse, rules_of
from .site import Policy, State
from .url import target_of

_logger = logging.getLogger(__name__)
_MOST_AGENTS = 128


class Parser(RobotParser):
    """The parser for the setting ROBOTSTXT_PARSER."""

    def __init__(self, robots: Robots) -> None:
        self.robots = robots
        self._rules: Dict[str, Rules] = {}

    @classmethod
    def from_crawler(cls, crawler: Any, robotstxt_body: bytes) -> Parser:
        """Parses a body. The crawler may be None."""
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


class Middleware:
    """Refuses what robots.txt disallows, and what a policy does while it is unreachable."""

    def __init__(self, crawler: Any) -> None:
        settings = crawler.settings
        if not settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        self.policy = Policy(settings.get("ROBOTSTXT_POLICY") or "google")
        self.crawler = crawler
        self._dialect = _dialect(crawler)
        parse(b"", self._dialect)  # raises the error about a dialect at the start
        self._agent = settings["ROBOTSTXT_USER_AGENT"]
        self._default_agent = settings["USER_AGENT"]
        self._sites: Dict[str, Tuple[State, Optional[Parser]]] = {}
        self._flights: Dict[str, Deferred[None]] = {}
        self._sizes: WeakKeyDictionary[Request, int] = WeakKeyDictionary()
        crawler.signals.connect(self._received, signal=signals.bytes_received)

    @classmethod
    def from_crawler(cls, crawler: Any) -> Middleware:
        """Makes the middleware, unless robots.txt is not obeyed."""
        return cls(crawler)

    async def process_request(self, request: Request, spider: Any = None) -> None:
        """Raises IgnoreRequest for a request that is not allowed."""
        url = urlsplit(request.url)
        if request.meta.get("dont_obey_robotstxt") or url.scheme not in ("http", "https"):
            return
        site = f"{url.scheme}://{url.netloc.rpartition('@')[2]}"
        if site not in self._sites or self._sites[site][0].needs_try(self.policy, time.monotonic()):
            await self._fetched(site)
        state, parser = self._sites[site]
        effect, _ = state.judge(self.policy, time.monotonic())
        agent = self._agent or request.headers.get(b"User-Agent") or self._default_agent or "*"
        if effect == "disallow-all" or (effect == "file" and parser is not None and not parser.allowed(request.url, agent)):
            self.crawler.stats.inc_value("robotstxt/forbidden")
            reason = "Forbidden by robots.txt" if effect == "file" else "Forbidden while robots.txt is unreachable or refused"
            _logger.debug("%s: %s", reason, request)
            raise IgnoreRequest(reason)

    async def _fetched(self, site: str) -> None:
        """Fetches a robots.txt once, however many requests wait for it."""
        flight = self._flights.get(site)
        if flight is not None:
            waiting: Deferred[None] = Deferred()
            flight.addCallback(lambda _: waiting.callback(None))
            await maybe_deferred_to_future(waiting)
            return
        flight = self._flights[site] = Deferred()
        state, parser = self._sites.get(site, (State(), None))
        kind, status, robots, retry_after = "unreachable", 0, None, 0.0
        try:
            kind, status, robots, retry_after = await self._attempt(f"{site}/robots.txt")
        except Exception as error:  # of the network, a middleware, a store: the rules are unknown
            self.crawler.stats.inc_value(f"robotstxt/exception_count/{type(error)}")
            _logger.warning("No robots.txt from %s: %r", site, error)
        finally:
            state = state.after(kind, status, robots, time.monotonic(), retry_after)
            if not state.tries:
                parser = None if robots is None else Parser(robots)
            self._sites[site] = state, parser
            del self._flights[site]
            flight.callback(None)

    async def _attempt(self, url: str) -> Tuple[str, int, Optional[Robots], float]:
        """Fetches a robots.txt, and returns its class, status, rules and Retry-After."""
        for hops in range(self.policy.redirects + 1):
            request = Request(
                url,
                priority=1000,
                headers={"Accept-Encoding": "identity"},
                meta={"dont_obey_robotstxt": True, "dont_redirect": True},
                callback=NO_CALLBACK,
            )
            self._sizes[request] = 0
            response: Response = await self.crawler.engine.download_async(request)
            status = response.status
            self.crawler.stats.inc_value(f"robotstxt/response_status_count/{status}")
            if not self.policy.follows(status):
                break
            target = target_of(url, response.headers.get(b"Location") or b"")
            if target is None or hops == self.policy.redirects:
                if self.policy.on_evidence or (target is not None and self.policy.until_found):
                    return "unreachable", status, None, 0.0
                return self.policy.read(404 if status != 300 else 300), status, None, 0.0
            url = target
        robots = parse(response.body, self._dialect)
        kind = self.policy.read(status, robots)
        if "dataloss" in response.flags:
            kind = "unreachable"
        seconds = (response.headers.get(b"Retry-After") or b"").strip()
        return kind, status, robots, float(seconds) if seconds.isdigit() else 0.0

    def _received(self, data: bytes, request: Request, **_: Any) -> None:
        """Stops the download of a robots.txt after the bytes that count, and one more."""
        if request in self._sizes:
            self._sizes[request] += len(data)
            if self._sizes[request] > DEFAULT_LIMIT:
                raise StopDownload(fail=False)


def _dialect(crawler: Any) -> Optional[str]:
    return crawler.settings.get("ROBOTSTXT_DIALECT") if crawler else None


def _text(text: Union[str, bytes]) -> str:
    return text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text
