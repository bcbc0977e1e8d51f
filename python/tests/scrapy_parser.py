"""The parser in the place of Scrapy's own: PYTHONPATH=src:tests python3 -m unittest tests/scrapy_parser.py, with Scrapy installed."""

import unittest

from scrapy.crawler import Crawler
from scrapy.robotstxt import RobotParser
from scrapy.spiders import Spider
from scrapy.utils.misc import build_from_crawler, load_object

from kosterhq_robotstxt import parse
from kosterhq_robotstxt.scrapy import Parser
from questions import RulesOf, asked

FILE = "User-agent: FooBot\nCrawl-delay: 1.5\nDisallow: /ü\n\nUser-agent: *\nDisallow: /".encode()


class TestParser(unittest.TestCase):
    def test_answers(self):
        parser = build_from_crawler(load_object("kosterhq_robotstxt.scrapy.Parser"), None, FILE)
        self.assertIsInstance(parser, RobotParser)
        for agent in ("FooBot", b"FooBot/1.0 (+https://foobot.example)", "Mozilla/5.0 (compatible; FooBot/1.0)"):
            for url, allowed in (("https://h/%C3%BC", False), ("https://h/ü".encode(), False), ("https://h/a/../ü", False), ("https://h/", True)):
                self.assertEqual(parser.allowed(url, agent), allowed, (url, agent))
            self.assertEqual(parser.crawl_delay(agent), 1.5)
        self.assertFalse(parser.allowed("https://h/a", "Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0"))
        for i in range(1000):
            self.assertFalse(parser.allowed("https://h/a", f"Bot{'x' * i}"))
        self.assertLessEqual(len(parser._rules), 128)

    def test_answers_like_the_core(self):
        count = 0
        for body, questions in asked():
            rules, parser = RulesOf(parse(body)), Parser.from_crawler(None, body)
            for agent, url in questions:
                want = rules[agent].allowed(url)
                got = parser.allowed(url, agent), parser.allowed(url.encode("utf-8", "surrogateescape"), agent.encode())
                self.assertEqual(got, (want, want), (body, agent, url))
                count += 1
        self.assertGreaterEqual(count, 20_000)
        print(f"{count} questions to the parser for Scrapy")

    def test_another_encoding(self):
        body = "User-agent: *\nDisallow: /\n# ü".encode("latin-1")
        self.assertFalse(Parser.from_crawler(None, body).allowed("https://h/a", "FooBot"))

    def test_dialect(self):
        for dialect, allowed in (("rfc9309", True), ("google", False), (None, False)):
            crawler = Crawler(Spider, {"ROBOTSTXT_DIALECT": dialect})
            self.assertEqual(Parser.from_crawler(crawler, FILE).allowed("https://h/robots.txt", "Bar"), allowed, dialect)
        with self.assertRaisesRegex(ValueError, "ROBOTSTXT_DIALECT 'x': use google"):
            Parser.from_crawler(Crawler(Spider, {"ROBOTSTXT_DIALECT": "x"}), FILE)


if __name__ == "__main__":
    unittest.main()
