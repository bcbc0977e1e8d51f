"""Whatever RobotFileParser and the client answer is the core's answer to the same question."""

import unittest

from kosterhq_robotstxt import parse
from kosterhq_robotstxt.client import Sites
from kosterhq_robotstxt.robotparser import RobotFileParser
from questions import MOST, SITE, RulesOf, asked


class TestDropIns(unittest.TestCase):
    def test_robotparser(self):
        count = 0
        for turn, (body, questions) in enumerate(asked()):
            dialect = "koster1996" if turn % 4 == 3 else None
            core = parse(body, dialect=dialect, limit=512_000)
            parsers = [RobotFileParser(dialect=dialect), RobotFileParser(dialect=dialect)]
            parsers[0].parse(body[:512_000].splitlines(keepends=True))
            parsers[1].parse(body[:512_000].decode("utf-8", "surrogateescape").split("\n"))
            rules = RulesOf(core)
            for agent, url in questions:
                want = rules[agent].allowed(url)
                got = [parser.can_fetch(agent, url) for parser in parsers]
                self.assertEqual(got, [want, want], (body, agent, url))
                self.assertEqual(parsers[0].crawl_delay(agent), rules[agent].crawl_delay)
                count += 1
            self.assertEqual(parsers[0].site_maps() or [], list(core.sitemaps))
        self.assertGreaterEqual(count, MOST)
        print(f"{count} questions to RobotFileParser")

    def test_client(self):
        count = 0
        for body, questions in asked():
            core, clients = parse(body), {}
            for agent, url in questions:
                count += 1
                if agent not in clients:
                    clients[agent] = client = self.client(agent, body)
                    if client is None:  # no line can name the crawler
                        self.assertRaises(ValueError, core.rules, agent)
                if clients[agent] is None:
                    continue
                rules = core.rules(agent)
                answer = clients[agent].check(url)
                self.assertEqual((answer.allowed, answer.line, answer.matched_by), (*rules.verdict(url), rules.matched_by), (body, agent, url))
        self.assertGreaterEqual(count, MOST)
        print(f"{count} questions to the client")

    def client(self, agent, body):
        """Returns what the client knows after it has fetched a file for a crawler, None if none can be named so."""
        try:
            sites = Sites("FooBot/1.0 (+https://foo.example)", agent=agent)
        except ValueError:
            return None
        attempt = sites.attempt(SITE)
        if attempt.head(200, {"Content-Length": str(len(body))}):
            attempt.data(body)
        attempt.end()
        sites.keep(attempt)
        return sites


if __name__ == "__main__":
    unittest.main()
