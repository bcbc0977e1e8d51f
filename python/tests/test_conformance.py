"""All checks of the conformance kit, in all dialects."""

import json
import unittest

from kosterhq_robotstxt import parse
from vectors import checks, read


def agent(tokens):
    """Returns a crawler in the notation of the package: every token in quotes."""
    quoted = [b'"' + token.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"' for token in tokens]
    return b":".join(quoted) or b"*"


class TestConformance(unittest.TestCase):
    def test_vectors(self):
        count = 0
        for check in checks():
            rules = parse(check.body, dialect=check.dialect, limit=None).rules(agent(check.tokens), exact=True)
            got = rules.verdict(check.url)
            self.assertEqual(got.allowed, check.allowed, check)
            if check.line is not None:
                self.assertEqual(got.line, check.line, check)
            decision = rules.explain(check.url)
            self.assertEqual((decision.allowed, decision.line), got, check)
            try:
                url = check.url.decode()
            except UnicodeDecodeError:
                url = check.url.decode("utf-8", "surrogateescape")
            self.assertEqual(rules.verdict(url, as_sent=True), got, check)
            count += 1
        self.assertGreater(count, 4000)
        print(f"{count} checks of the conformance kit")


class TestDelays(unittest.TestCase):
    """The delays of crawlers: conformance/delays.json."""

    def test_delays(self):
        delays = json.loads(read("conformance", "delays.json"))
        self.assertEqual(delays["format"], 1)
        count = 0
        for case in delays["cases"]:
            for dialect in case["dialects"]:
                robots = parse("".join(f"{line}\n" for line in case["robots"]), dialect=dialect)
                for check in case["checks"]:
                    rules = robots.rules(agent([token.encode() for token in check["agents"]]), exact=True)
                    self.assertEqual(rules.crawl_delay, check["seconds"], (case["name"], case["note"], dialect, check))
                    count += 1
        self.assertGreater(count, 100)


class TestURLs(unittest.TestCase):
    """URLs as people type them, and as a server logs them: conformance/urls.json."""

    def test_urls(self):
        urls = json.loads(read("conformance", "urls.json"))
        self.assertEqual(urls["format"], 1)
        for case in urls["cases"]:
            rules = parse(f"User-agent: *\nDisallow: {case['rule']}\n", dialect="google").rules("*")
            for as_sent, want in ((False, case["typed"]), (True, case["as_sent"])):
                self.assertEqual(rules.allowed(case["url"], as_sent=as_sent), want == "allowed", (as_sent, case))
            self.assertEqual(rules.allowed(case["url"].encode()), case["as_sent"] == "allowed", case)


class TestHeaders(unittest.TestCase):
    """User-Agent headers, with the product tokens that the engine finds in them."""

    def test_headers(self):
        lines = read("internal", "test", "surfaces", "headers.tsv").split("\n")[1:-1]
        headers = [line.replace("\\t", "\t").rsplit("\t", 1) for line in lines]
        names = json.loads(read("conformance", "names.json"))
        self.assertEqual(names["format"], 1)
        headers += [(text["text"], text["declared"] or "-") for case in names["cases"] for text in case["texts"]]
        count = 0
        for header, token in headers:
            if not header.strip() or header == "*":
                continue
            if token == "-":
                with self.assertRaisesRegex(ValueError, "it names no crawler: ", msg=header):
                    parse("").rules(header)
                count += 1
            elif " " not in token:  # else no line can name it
                robots = parse(f"User-agent: *\nDisallow:\n\nUser-agent: {token}\nDisallow: /")
                self.assertEqual(robots.rules(header, exact=True).verdict("/"), (False, 5), header)
                count += 1
        self.assertGreater(count, 150)


if __name__ == "__main__":
    unittest.main()
