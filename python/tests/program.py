"""A program that uses the public names. It is checked with mypy --strict and pyright, not run."""

import asyncio
from typing import Dict, List, Optional, Tuple

from kosterhq_robotstxt import (
    DEFAULT_LIMIT,
    BodyKind,
    Decision,
    Dialect,
    MatchedBy,
    Policy,
    Reason,
    Robots,
    Row,
    Rule,
    Rules,
    Verdict,
    allowed_many,
    parse,
)
from kosterhq_robotstxt.client import Answer, AsyncRobotsClient, Attempt, Fault, Hop, Options, Outcome, RobotsClient, Site, Sites, Source
from kosterhq_robotstxt.robotparser import RequestRate, RobotFileParser

dialect: Dialect = "rfc9309"
policy: Policy = "careful"
robots: Robots = parse(b"User-agent: *", dialect, limit=DEFAULT_LIMIT)
names: Tuple[str, ...] = robots.agents + robots.sitemaps + robots.hosts
kind: BodyKind = robots.body
rows: List[Row] = robots.rows()
agents: Tuple[str, ...] = rows[0].agents
rules: Rules = robots.rules("GPTBot", exact=True)
matched_by: MatchedBy = rules.matched_by
delay: Optional[float] = rules.crawl_delay
verdict: Verdict = rules.verdict("https://shop.example/")
lines: Tuple[bool, int] = verdict
decision: Decision = rules.explain(b"/")
reason: Reason = decision.reason
rule: Optional[Rule] = decision.rule
verdicts: List[bool] = allowed_many(rules, ["https://shop.example/", b"/"])
store: Dict[str, bytes] = {}
options: Options = {"policy": policy, "timeout": 10, "store": store}
client = RobotsClient("FooBot/1.0 (+https://foobot.example)", **options)
answer: Answer = client.check("https://shop.example/")
site: Site = answer.site
outcome: Outcome = site.outcome
source: Source = site.source
hops: Tuple[Hop, ...] = site.hops
fault: Optional[Fault] = site.fault
status: int = hops[0].status
parser = RobotFileParser("https://shop.example/robots.txt", policy="google", dialect="google")
rate: Optional[RequestRate] = parser.request_rate("FooBot")
RobotsClient("FooBot/1.0", polcy="google")  # type: ignore[call-arg]  # pyright: ignore
parse("", "rfc")  # type: ignore[arg-type]  # pyright: ignore


def request(sites: Sites, url: str) -> bool:
    """Asks for a file without a library."""
    attempt: Optional[Attempt] = sites.attempt(url)
    while attempt is not None and not attempt.done:
        if attempt.head(200, [("Content-Length", "3")]) and attempt.data(b"abc"):
            attempt.end()
    if attempt is not None:
        sites.keep(attempt)
    return sites.allowed(url)


async def ask() -> Answer:
    """Asks in a task."""
    allowed: bool = await AsyncRobotsClient("FooBot/1.0", object(), agent="FooBot").allowed("https://shop.example/")
    return answer if allowed else await AsyncRobotsClient("FooBot/1.0", None).check("https://shop.example/")


asyncio.run(ask())
