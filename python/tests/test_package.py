"""The functions of the package: arguments, results, and what objects can do."""

import copy
import importlib
import json
import multiprocessing
import os
import pickle
import random
import subprocess
import sys
import threading
import time
import unittest
import unittest.mock
from pathlib import Path

from kosterhq_robotstxt import Decision, Rule, Verdict, allowed_many, parse
from vectors import read

LONG = bool(os.environ.get("ROBOTSTXT_LONG"))
FILE = b"""\xef\xbb\xbfUser-agent: *
Crawl-delay: 3
Disallow: /a
Allow: /index.html

User-agent: Googlebot
User-agent: MJ12bot
Crawl-delay: 1.5
Request-rate: 1/10
User-agent: Foo
Disallow: /b*c
Disallow: /\xc3\xbc
Allow: /b?c
Allow: /b\xff
Sitemap: https://shop.example/\xc3\xbc\xff.xml
Host: shop.example
"""


class TestImports(unittest.TestCase):
    def test_without_scrapy(self):
        with unittest.mock.patch.dict(sys.modules, {"scrapy": None}):
            sys.modules.pop("kosterhq_robotstxt.scrapy", None)
            with self.assertRaisesRegex(ImportError, r'needs Scrapy 2\.14 or later: pip install "kosterhq-robotstxt\[scrapy\]"'):
                importlib.import_module("kosterhq_robotstxt.scrapy")


class TestParse(unittest.TestCase):
    def test_types_of_body(self):
        for body in (FILE, bytearray(FILE), memoryview(FILE), memoryview(FILE * 2)[: len(FILE)], FILE.decode("utf-8", "surrogateescape")):
            robots = parse(body)
            self.assertEqual(robots, parse(FILE))
            self.assertEqual(robots.sitemaps, ("https://shop.example/\u00fc\ufffd.xml",))
            self.assertEqual(robots.hosts, ("shop.example",))
            self.assertFalse(robots.truncated)

    def test_limit(self):
        for end in (b"\n", b"\r"):
            body = b"User-agent: *%sDisallow: /private%s" % (end, end)
            for limit in range(1, len(body) + 3):
                robots = parse(body, limit=limit)
                whole = len(body) - 1 <= limit
                self.assertEqual(robots.truncated, limit < len(body), limit)
                self.assertEqual(robots.rules("x").verdict("/private"), (not whole, 2 if whole else 0), limit)
                self.assertTrue(robots.rules("x").allowed("/p"), limit)
        text = "User-agent: *\r\nDisallow: /ü\r\nDisallow: /"
        for limit in range(1, len(text.encode()) + 2):
            self.assertEqual(parse(text, limit=limit), parse(text.encode(), limit=limit))
        large = b"User-agent: *\nDisallow: /\n" + b"Disallow: /x\n" * 100_000
        self.assertTrue(parse(large).truncated)
        self.assertFalse(parse(large, limit=None).truncated)

    def test_body(self):
        for body, kind in (
            (b"", "empty"),
            (b"\n", "text"),
            (b" <!DOCTYPE html>", "html"),
            (b"\xef\xbb\xbf<html>\nUser-agent: *\nDisallow: /", "text"),
            (b"\x1f\x8b\x08\x00", "binary"),
            ("User-agent: *\nDisallow: /".encode("utf-16"), "binary"),
            (b"x" * 1024 + b"\0", "text"),
            (b"\0User-agent: *\nDisallow:", "binary"),
            (b"\0\nUser-agent: *\nDisallow:", "text"),
        ):
            self.assertEqual(parse(body).body, kind, body)

    def test_bad_arguments(self):
        robots = parse(FILE)
        rules = robots.rules("*")
        for error, word, call in (
            (TypeError, "body is int: use str or bytes", lambda: parse(7)),
            (TypeError, "body is list", lambda: parse([FILE], limit=None)),
            (TypeError, "agent is NoneType", lambda: robots.rules(None)),
            (TypeError, "url is Path|url is PosixPath", lambda: rules.allowed(Path("/"))),
            (TypeError, "url is int", lambda: rules.explain(7)),
            (TypeError, "urls is str: use a list of URLs", lambda: allowed_many(rules, "/a")),
            (TypeError, "rules is Robots: use Rules", lambda: allowed_many(robots, ["/a"])),
            (TypeError, "limit is float: use int, or None", lambda: parse(FILE, limit=1.5)),
            (TypeError, "limit is bool", lambda: parse(FILE, limit=True)),
            (TypeError, r"urls\[1\] is NoneType", lambda: allowed_many(rules, ["/a", None])),
            (ValueError, "agent 'Mozilla/5.0 .{67}\u2026': it names", lambda: robots.rules("Mozilla/5.0 (" + "x" * 1_000_000 + ")")),
            (ValueError, "limit is 0: use a positive number", lambda: parse(FILE, limit=0)),
            (ValueError, "dialect 'Google': use google, rfc9309, koster1996, or None", lambda: parse(FILE, dialect="Google")),
            (ValueError, "dialect 7", lambda: parse(FILE, dialect=7)),
            (ValueError, "agent 'a,b': give one crawler: put a token that contains a comma", lambda: robots.rules("a,b")),
            (ValueError, "give a product token", lambda: robots.rules("")),
            (ValueError, "give a product token", lambda: robots.rules(" ")),
            (ValueError, "give a product token", lambda: robots.rules("FooBot: ")),
            (ValueError, "it names no crawler", lambda: robots.rules("Yahoo! Slurp/2@b.example")),
            (ValueError, "it names no crawler", lambda: robots.rules("mozilla")),
            (
                ValueError,
                "it names no crawler: write a product token, such as GPTBot",
                lambda: robots.rules("Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0"),
            ),
            (ValueError, "no user-agent line can name it, so its rules are unknown", lambda: robots.rules('"a b"')),
        ):
            with self.assertRaisesRegex(error, word):
                call()

    def test_any_bytes(self):
        source = random.Random(53)
        words = [
            b"User-agent",
            b"Allow",
            b"Disallow",
            b"*",
            b":",
            b" ",
            b"\n",
            b"\r",
            b"\0",
            b"#",
            b"/",
            b"$",
            b"%2f",
            b"\xff",
            b"\xef\xbb\xbf",
            b"Crawl-delay",
            b"?",
            b".",
        ]
        for _ in range(3000):
            body = b"".join(source.choice(words) if source.random() < 0.8 else bytes([source.randrange(256)]) for _ in range(source.randrange(40)))
            robots = parse(body)
            url = b"".join(source.choice(words) for _ in range(5))
            for agent in ("*", "FooBot", b'"\xff"', "MJ12bot"):
                if agent != b'"\xff"':
                    rules = robots.rules(agent)
                    text = url.decode("utf-8", "surrogateescape")
                    self.assertEqual(rules.explain(text)[:2], rules.verdict(text))
                    self.assertEqual(rules.explain(url)[:2], rules.verdict(url))
            self.assertIn(robots.body, ("text", "html", "empty", "binary"))
            for dialect in ("google", "rfc9309", "koster1996"):
                self.assertIsNone(parse(body.decode("latin-1"), dialect).rules('"x"').crawl_delay and None)

    def test_the_place_of_a_file_is_no_file(self):
        for place in ("https://shop.example/robots.txt", "robots.txt", "/var/www/robots.txt\n", "C:\\www\\robots.txt"):
            with self.assertRaisesRegex(ValueError, "the place of a file"):
                parse(place)
            self.assertEqual(parse(place.encode()).agents, ())
        for text in ("", "<html>", "Sitemap: https://shop.example/robots.txt", "Disallow:/robots.txt", "# robots.txt", "robots.txt\nDisallow: /"):
            parse(text)

    def test_rows(self):
        robots = parse(FILE)
        self.assertEqual(robots.agents, ("*", "Googlebot", "MJ", "Foo"))
        rows = robots.rows()
        self.assertEqual([row.line for row in rows], [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
        self.assertEqual(rows[6], (8, "crawl-delay", ("Googlebot", "MJ"), "1.5"))
        self.assertEqual(rows[10], (12, "disallow", ("Googlebot", "MJ", "Foo"), "/\u00fc"))
        self.assertEqual(rows[13][1:], ("sitemap", (), "https://shop.example/\u00fc\ufffd.xml"))
        self.assertEqual(parse("User-agent: A\nuser-agent: b\nDisallow: /\nUser-agent: a\n").agents, ("A", "b"))
        groups = "User-agent: a\nUser-agent: b\nDisallow: /\nUser-agent: c\nDisallow: /\nUser-agent: A\nUser-agent: D\nDisallow: /\nUser-agent: d\nAllow: /\n"
        self.assertEqual(parse(groups).agents, ("a", "b", "c", "D"))
        names = ["".join("abcdefghij"[int(digit)] for digit in str(n)) for n in range(20_000)]
        many = parse("".join(f"User-agent: {name}\n" for name in names) + "Disallow: /x\n" * 20_000, limit=None)
        began = time.process_time()
        self.assertEqual(many.agents, tuple(names))
        self.assertEqual(len({id(row.agents) for row in many.rows() if row.kind == "disallow"}), 1)
        self.assertLess(time.process_time() - began, 10)


class Counted(str):
    """A path that counts with how many texts it is compared, and of how many of its beginnings it is asked."""

    count = 0

    def startswith(self, *arguments):
        Counted.count += 1
        return super().startswith(*arguments)

    def __getitem__(self, index):
        Counted.count += 1
        return super().__getitem__(index)


class TestRules(unittest.TestCase):
    def test_a_verdict_is_not_linear_in_the_rules(self):
        counts = []
        for most in (20, 5000):
            body = "User-agent: *\n" + "".join(f"Disallow: /p{n}/{'x' * (n % 20)}\n" for n in range(most))
            rules = parse(body).rules("*")
            self.assertEqual(rules.verdict("/p7/xxxxxxxz").line, 9)
            (group,) = rules._groups
            Counted.count = 0
            found = group.candidates(Counted("/p7/xxxxxxxz"), rules._traits)
            self.assertEqual([rule.line for rule in found], [9])
            counts.append(Counted.count)
        self.assertLessEqual(counts[1], 3 * counts[0])

    def test_large_groups_are_read_like_small_ones(self):
        source = random.Random(71)
        for dialect in ("google", "rfc9309", "koster1996"):
            for _ in range(40 if LONG else 10):
                lines = []
                for _ in range(60):
                    path = "".join(source.choice(("a", "b", "/", "*", "$", "%61", "/index.html", "?", "")) for _ in range(source.randrange(5)))
                    lines.append(f"{source.choice(('Allow', 'Disallow'))}: {source.choice('/*')}{path}\n")
                urls = ["/" + "".join(source.choice(("a", "b", "/", "?", "index.html", "")) for _ in range(4)) for _ in range(60)]
                large, by_hand = (parse("User-agent: *\n" + "".join(lines), dialect).rules("*") for _ in range(2))
                few = parse("".join(f"User-agent: *\n{''.join(lines[n : n + 20])}" for n in range(0, 60, 20)), dialect).rules("*")
                decisions = [large.explain(url) for url in urls]
                if dialect != "koster1996":  # of which one record applies
                    self.assertEqual([decision.allowed for decision in decisions], [few.allowed(url) for url in urls], (lines, urls))
                with unittest.mock.patch("kosterhq_robotstxt.body._FEW_RULES", 1000):
                    self.assertEqual(decisions, [by_hand.explain(url) for url in urls])

    def test_verdicts(self):
        robots = parse(FILE)
        rules = robots.rules("Googlebot-Image")
        self.assertEqual((rules.matched_by, rules.dialect, rules.crawl_delay), ("fallback", "google", 1.5))
        self.assertEqual(robots.rules("Googlebot-Image", exact=True).matched_by, "star")
        self.assertEqual(robots.rules("AdsBot-Google").matched_by, "none")
        self.assertEqual(robots.rules("MJ12bot").dialect, "rfc9309")
        self.assertEqual(parse(FILE, dialect="google").rules("Foo").crawl_delay, None)
        verdict = rules.verdict("https://shop.example/b/c")
        self.assertEqual(verdict, Verdict(False, 11))
        self.assertFalse(verdict)  # although it is a tuple
        self.assertTrue(rules.verdict("/"))
        self.assertEqual(allowed_many(rules, ["/", "/b/c", b"/b/c"]), [True, False, False])

    def test_urls(self):
        rules = parse(FILE).rules("Foo")
        for url, line in (
            ("/ü", 12),
            ("https://shop.example/x/../%C3%BC", 12),
            ("/%c3%bc", 12),
            ("", 0),
            ("https://shop.example", 0),
            (" http://h/b/c ", 11),
            ("/b\udcff", 14),
        ):
            self.assertEqual(rules.verdict(url).line, line, url)
        self.assertEqual(rules.verdict(b"/x/../b/c").line, 0)
        self.assertEqual(rules.verdict("/x/../b/c", as_sent=True).line, 0)
        self.assertEqual(rules.verdict("/x/../b/c").line, 11)
        self.assertEqual(rules.explain("").path, "/")
        self.assertEqual(rules.verdict("/\ud800"), (True, 0))

    def test_hosts(self):
        rules = parse(FILE).rules("Foo")
        for host, is_valid in (
            ("bücher.example", True),
            ("b%C3%BCcher.example.", True),
            ("a\u3002b", True),
            ("é.xn--4dbrk0ce", True),
            ("\u05d0\u05d1.example", True),
            ("\u05d0a.example", False),  # two directions in a label
            ("\u05d0.1a", False),
            ("é.xn--4dbrk0ce.1a", False),
            ("é.xn--a-", False),
            ("\u0dc1\u0dca\u200d\u0dbb\u0dd3", True),  # a joiner after a virama
            ("\u0647\u200c\u0627", True),
            ("a\u200db", False),
            ("a\u2488b", False),
            ("a\ufffdb", False),
            ("\u0301a", False),
            ("é" * 64, False),
            ("é" * 600, False),
            ("a b", False),
            ("a..b", False),
            ("1.256", True),
            ("0x7f.1", True),
            ("4294967296", False),
            ("1.2.3.256", False),
            ("9" * 4000, False),
            ("08", False),
            ("[::1.2.3.4]", True),
            ("[::1%251]", False),
            ("h:0", False),
            ("h:65536", False),
        ):
            self.assertEqual(rules.explain(f"http://{host}/a/../c").path, "/c" if is_valid else "/a/../c", host)

    def test_decision(self):
        decision = parse(FILE).rules("Foo").explain("/b?c")
        rule = Rule(allow=False, pattern="/b*c", length=4, line=11, folder=False)
        tie = Rule(allow=True, pattern="/b?c", length=4, line=13, folder=False)
        self.assertEqual(decision, Decision(True, 13, "rule", "", "google", "Foo", (10,), 6, tie, rule, (rule,), "/b?c"))
        self.assertTrue(decision)
        fields = json.loads(json.dumps(decision.as_dict()))
        self.assertEqual(
            list(fields), ["allowed", "line", "reason", "note", "dialect", "agent", "agent_lines", "group_line", "rule", "tie", "others", "path"]
        )
        self.assertEqual(fields["rule"], {"allow": True, "pattern": "/b?c", "length": 4, "line": 13, "folder": False})

    def test_matching(self):
        for dialect, pattern, url, allowed in (
            ("google", "/a*a$", "/a", True),
            ("google", "/a*a$", "/aa", False),
            ("rfc9309", "/*/x%2Fy*z", "/q/x/yz?%2F", True),
            ("rfc9309", "/*/x%2Fy*z", "/q?/x/yz", False),
            ("rfc9309", "/*%2Fx?%2Fy$", "/a/x?/y", True),
            ("rfc9309", "/*%2Fx?%2Fy$", "/a%2Fx?/y", False),
            ("google", "/a/b", "/a/./b", False),
            ("google", "/a/b", "/c/../a/%2E/b", False),
            ("google", "/a/b", "https://h\\a\\b", False),
            ("google", "/a%20b", "/a b", False),
            ("google", "/a%2fb", "/a%2Fb", False),
            ("google", "/é", "/%c3%a9", False),
            ("rfc9309", "/a?b/c", "/a?b/c", False),
            ("koster1996", "/%", "/%25", False),
        ):
            rules = parse(f"User-agent: *\nDisallow: {pattern}", dialect).rules("*")
            self.assertEqual(rules.allowed(url), allowed, (dialect, pattern, url))
        self.assertEqual(parse("").rules("*").explain("/.//h/x").path, "/.//h/x")

    def test_fallbacks(self):
        robots = parse("User-agent: Googlebot\nDisallow: /\n")
        for agent, allowed in (("Googlebot-Image", False), ("Googlebot-Image:FooBot", True), ("FooBot:Googlebot", False)):
            self.assertEqual(robots.rules(agent).allowed("/"), allowed, agent)
        self.assertTrue(robots.rules("Googlebot-Image", exact=True).allowed("/"))
        self.assertEqual(robots.rules("google favicon").dialect, "google")
        self.assertEqual(robots.rules("google favicon:MJ12bot").dialect, "rfc9309")

    def test_blanks_around_an_agent(self):
        robots = parse("User-agent: Foo\nDisallow: /")
        for agent in (" Foo\t", "\nFoo/1 x; ", ' "Foo" ', " foo :Bar"):
            self.assertEqual(robots.rules(agent).matched_by, "name", agent)
        for agent in (" Bar :\vFoo ", ' Bar: "Foo"'):
            self.assertEqual(robots.rules(agent).matched_by, "fallback", agent)

    def test_lists_of_agents(self):
        robots = parse(
            "User-agent: a\nCrawl-delay: 1\nUser-agent: b\nCrawl-delay: 2\nCrawl-delayed: 9\nVisit-time: 1/10\nUser-agent: c\nDisallow: /x"
        )
        self.assertEqual([robots.rules(agent).crawl_delay for agent in "abc"], [1, 2, None])
        self.assertEqual([robots.rules(agent).request_rates for agent in "abc"], [(), (), ()])

    def test_a_comment_that_ends(self):
        robots = parse("User-agent: Foo\nDisallow: /")
        self.assertFalse(robots.rules("Mozilla/5.0 (compatible;) (curl/1) Foo/1").allowed("/"))

    def test_folder_and_a_rule_of_its_length(self):
        body = "User-agent: *\nAllow: /a/$\nAllow: /a/index.html\nDisallow: /a/\n"
        self.assertEqual(parse(body).rules("*").verdict("/a/"), (True, 2))
        body = "User-agent: *\nAllow: /a/index.html\nAllow: /a/$\nDisallow: /a/\n"
        self.assertEqual(parse(body).rules("*").verdict("/a/"), (True, 2))


def _answer(body):
    rules = parse(body).rules("Googlebot")
    return [rules.verdict(f"/b{i}c") for i in range(20)]


class TestObjects(unittest.TestCase):
    def test_pickle_and_copy(self):
        for robots in (parse(FILE), parse(FILE, "rfc9309", limit=100), parse("")):
            for rules in (robots.rules("Foo"), robots.rules("*", exact=True)):
                for made in [copy.copy, copy.deepcopy] + [
                    lambda x, p=p: pickle.loads(pickle.dumps(x, p)) for p in range(pickle.HIGHEST_PROTOCOL + 1)
                ]:
                    self.assertEqual(made(robots), robots)
                    self.assertEqual(made(rules), rules)
                    self.assertEqual(hash(made(rules)), hash(rules))
                    self.assertEqual(made(rules).explain("/b/c"), rules.explain("/b/c"))
        self.assertNotEqual(parse(FILE), parse(FILE, "google"))
        self.assertNotEqual(parse(FILE).rules("Foo"), parse(FILE).rules("Bar"))
        self.assertNotEqual(parse(FILE), 7)

    def test_they_do_not_change(self):
        robots = parse(FILE)
        for thing, name in (
            (robots, "sitemaps"),
            (robots, "other"),
            (robots.rules("*"), "crawl_delay"),
            (robots.rules("*").verdict("/"), "line"),
            (robots.rules("*").explain("/"), "path"),
        ):
            with self.assertRaises(AttributeError):
                setattr(thing, name, ())

    def test_threads(self):
        robots = parse(FILE * 50)
        want = _answer(FILE * 50)
        found = []
        start = threading.Barrier(8)

        def ask():
            start.wait()
            for dialect in ("MJ12bot", "Googlebot", "Foo"):
                robots.rules(dialect)
            rules = robots.rules("Googlebot")
            found.append([rules.verdict(f"/b{i}c") for i in range(20)])

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [want] * 8)

    @unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
    def test_forked_children(self):
        body = FILE + b"Disallow: /x\n" * 2_000
        want = _answer(body)
        with multiprocessing.get_context("fork").Pool(6) as pool:
            self.assertEqual(pool.map(_answer, [body] * 60), [want] * 60)


@unittest.skipUnless(LONG, "ROBOTSTXT_LONG is not set: they compute for seconds")
class TestHostile(unittest.TestCase):
    """Each runs in a process that may use 30 seconds of the processor: a quadratic time takes far more."""

    def run_limited(self, code):
        limit = "import resource; resource.setrlimit(resource.RLIMIT_CPU, (30, 30))\n"
        result = subprocess.run(
            [sys.executable, "-c", limit + "from kosterhq_robotstxt import parse\n" + code], capture_output=True, text=True, check=False
        )
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_bodies(self):
        for body in (
            "b'User-agent: *\\nDisallow: /' + b'*' * 2_000_000",
            "b'\\r' * 1_000_000",
            "b'#' * 2_000_000",
            "b'User-agent: a\\nDisallow: /\\n' * 40_000",
            "b'User-agent: *\\n' * 50_000 + b'Crawl-delay: 1\\n' * 50_000",
            "b'Disallow ' * 200_000",
            "b'User-agent: *\\n' + b'Disallow: /*a*b*c$\\n' * 10_000",
            "b'\\xef\\xbb\\xbf' * 200_000 + b'<'",
            "b'User-agent: *\\nDisallow: /' + b'%' * 100_000",
        ):
            self.run_limited(
                f"robots = parse({body}, limit=None)\nfor agent in ('*', 'MJ12bot'):\n    rules = robots.rules(agent)\n    rules.explain('/aaa?b'), rules.crawl_delay, robots.body"
            )

    def test_urls(self):
        stars = "b'User-agent: *\\nDisallow: /' + b'*a' * 2000 + b'b'"
        for url in (
            "'/' + 'a' * 20_000",
            "'http://h/' + '../' * 100_000",
            "'/' + 'é' * 50_000",
            "'@' * 200_000",
            "'http://' + 'a.' * 100_000",
            "'http://h/' + '%2e/' * 50_000",
            "'/?' + '%2Fa' * 5000",
        ):
            self.run_limited(f"robots = parse({stars})\nfor agent in ('*', 'MJ12bot'):\n    robots.rules(agent).explain({url})")

    def test_agents(self):
        for agent in (
            "'Mozilla/5.0 (' * 200_000",
            "'\"' + 'a' * 1_000_000",
            "'a:' * 20_000 + 'b'",
            "'+' * 1_000_000 + 'a'",
            "'http://' * 300_000",
            "' ' * 1_000_000 + '\"'",
        ):
            self.run_limited(f"try:\n    parse('User-agent: *').rules({agent})\nexcept ValueError:\n    pass")


class TestCommand(unittest.TestCase):
    def run_command(self, *arguments, body=FILE):
        return subprocess.run([sys.executable, "-m", "kosterhq_robotstxt", *arguments], input=body, capture_output=True, check=False)

    def test_command(self):
        for arguments, status, output in (
            (("-", "Foo", "/b/c", "/"), 1, b"disallowed by line 11: /b/c\nallowed: /\n"),
            (("-", "Foo", "/b?c"), 0, b"allowed by line 13: /b?c\n"),
            (("-", "a,b", "/"), 2, b""),
            (("missing.txt", "Foo", "/"), 2, b""),
            (("-", "Foo"), 2, b""),
        ):
            result = self.run_command(*arguments)
            self.assertEqual((result.returncode, result.stdout.replace(b"\r", b"")), (status, output), arguments)
            self.assertEqual(result.stderr != b"", status == 2, arguments)

    @unittest.skipIf(os.name == "nt", "pipes of Windows differ")
    def test_a_reader_that_leaves(self):
        for arguments, status in ((("-", "Foo", "/"), 0), (("-", "Foo", "/b/c", "/"), 1)):
            read, write = os.pipe()
            os.close(read)
            command = [sys.executable, "-m", "kosterhq_robotstxt", *arguments]
            result = subprocess.run(command, input=FILE, stdout=write, stderr=subprocess.PIPE, check=False)
            os.close(write)
            self.assertEqual((result.returncode, result.stderr), (status, b""))


class TestArchive(unittest.TestCase):
    def test_licence(self):
        self.assertEqual(read("python", "LICENSE"), read("LICENSE"))


if __name__ == "__main__":
    unittest.main()
