"""Compares the package with decisions of the Go engine, which it reads as JSON, one file on each
line; TestCores of internal/test/enginetest writes them. In their texts each character is a byte.
"""

import json
import sys

from kosterhq_robotstxt import parse
from kosterhq_robotstxt.dialect import text_of


def octets(latin1):
    return latin1.encode("latin-1")


def rule(fields):
    return fields and {**fields, "pattern": text_of(fields["pattern"])}


count = 0
for line in sys.stdin:
    file = json.loads(line)
    robots = parse(octets(file["body"]), dialect=file["dialect"], limit=None)
    rules = robots.rules(octets(file["agent"]) or b"*", exact=True)
    place = (file["body"], file["dialect"], file["agent"])
    delay = -1 if rules.crawl_delay is None else rules.crawl_delay
    got = (list(robots.sitemaps), list(robots.hosts), delay)
    want = ([text_of(s) for s in file["sitemaps"]], [text_of(h) for h in file["hosts"]], file["delay"])
    if got != want:
        sys.exit(f"{place}\ngot  {got}\nwant {want}")
    for query in file["urls"]:
        decision = query["decision"]
        want = {
            **decision,
            "agent": text_of(decision["agent"]),
            "path": text_of(decision["path"]),
            "rule": rule(decision["rule"]),
            "tie": rule(decision["tie"]),
            "others": [rule(other) for other in decision["others"]],
        }
        url = octets(query["url"])
        if not query["as_sent"]:
            url = url.decode("utf-8", "surrogateescape")
        got = rules.explain(url).as_dict()
        verdict = rules.verdict(url)
        if got != want or verdict != (want["allowed"], want["line"]):
            sys.exit(f"{place} {url!r}\ngot  {got}\nwant {want}\nverdict {verdict}")
        count += 1
print(f"{count} questions: Python answers each as Go does")
