"""Whatever RobotFileParser answers is the core's answer to the same question."""

import unittest

from kosterhq_robotstxt import parse
from kosterhq_robotstxt.robotparser import RobotFileParser
from questions import RulesOf, asked


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
        self.assertGreaterEqual(count, 20_000)
        print(f"{count} questions to RobotFileParser")


if __name__ == "__main__":
    unittest.main()
