"""The replacement for urllib.robotparser, with a server on this machine; and what a site's answers mean."""

import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.robotparser import RobotFileParser as Theirs

from kosterhq_robotstxt import parse
from kosterhq_robotstxt.policies import POLICIES
from kosterhq_robotstxt.robotparser import RequestRate, RobotFileParser
from kosterhq_robotstxt.site import Policy, State

FILE = """\
User-agent: figtree
User-agent: other
Crawl-delay: 3
Request-rate: 9/30
Disallow: /tmp

User-agent: *
Crawl-delay: 0.5
Request-rate: 1/0
Disallow: /x # comment
Allow: /x/y
Sitemap: https://shop.example/a.xml
"""


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        status = int(self.path.split("/")[1])
        if status == 0:
            self.close_connection = True
            return
        body = b"\xff\n" + FILE.encode() + b"#" * 600_000 + b"\nUser-agent: *\nDisallow: /"
        self.send_response(status)
        if status == 301:
            self.send_header("Location", "/200/robots.txt")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass  # no more than the limit is read

    def log_message(self, *_):
        pass


class TestRobotFileParser(unittest.TestCase):
    def test_one_product_names_its_sender(self):
        parser = RobotFileParser()
        parser.parse(["User-agent: Lynx", "User-agent: bot", "User-agent: Mozilla", "User-agent: NetSurf", "Disallow: /"])
        for agent, allowed in (
            ("Lynx/2.8.9", False),
            ("bot/1.0 (+https://me.example)", False),
            ("NetSurf/3.10 (Linux)", True),
            ("Mozilla/5.0", True),
        ):
            self.assertEqual(parser.can_fetch(agent, "/x"), allowed, agent)

    def test_answers(self):
        parser = RobotFileParser()
        self.assertFalse(parser.can_fetch("figtree", "/"))
        self.assertEqual(parser.mtime(), 0)
        parser.parse(FILE.splitlines())
        self.assertGreater(parser.mtime(), 0)
        for agent, url, allowed in (
            ("figtree", "/tmp/x", False),
            ("FigTree/0.1 Robot", "/tmp", False),
            ("figtree", "/x", True),
            ("x", "https://h/x", False),
            ("x", "/x/y", True),
            ("Mozilla/5.0 (X11)", "/x", False),
        ):
            self.assertEqual(parser.can_fetch(agent, url), allowed, (agent, url))
        self.assertEqual((parser.crawl_delay("figtree"), parser.request_rate("figtree")), (3, RequestRate(9, 30)))
        self.assertIsInstance(parser.crawl_delay("figtree"), int)
        self.assertEqual((parser.crawl_delay("x"), parser.request_rate("x")), (0.5, None))
        self.assertEqual(parser.site_maps(), ["https://shop.example/a.xml"])
        parser.parse([])
        self.assertIsNone(parser.site_maps())
        self.assertTrue(parser.can_fetch("figtree", "/tmp"))

    def test_text_is_theirs(self):
        ours, theirs = RobotFileParser(), Theirs()
        for parser in (ours, theirs):
            parser.parse(FILE.replace("0.5", "5").replace("1/0", "1/10").splitlines())
        self.assertEqual(str(ours), str(theirs))

    def test_read(self):
        server = HTTPServer(("127.0.0.1", 0), Site)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            for status, policy, allowed in (
                (200, None, (False, True)),
                (301, None, (False, True)),
                (401, None, (False, False)),
                (403, None, (False, False)),
                (404, None, (True, True)),
                (503, None, (False, False)),
                (200, "careful", (False, True)),
                (403, "google", (True, True)),
                (403, "careful", (False, False)),
                (404, "careful", (True, True)),
                (503, "google", (False, False)),
                (0, "google", (False, False)),
            ):
                parser = RobotFileParser(f"http://127.0.0.1:{server.server_port}/{status}/robots.txt", policy=policy)
                parser.read()
                self.assertEqual((parser.can_fetch("x", "/x"), parser.can_fetch("x", "/a")), allowed, (status, policy))
            with self.assertRaises(OSError):
                RobotFileParser(f"http://127.0.0.1:{server.server_port}/0/robots.txt").read()
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def test_bad_arguments(self):
        with self.assertRaisesRegex(ValueError, "policy 'Careful': use google, "):
            RobotFileParser(policy="Careful")
        with self.assertRaisesRegex(ValueError, "dialect 'x'"):
            RobotFileParser(dialect="x")


class TestState(unittest.TestCase):
    def test_policies(self):
        file, page, cut = parse("User-agent: *\nDisallow: /x"), parse("<html>"), parse("#" * 10, limit=5)
        for name in POLICIES:
            policy = Policy(name)
            careful = name == "careful"
            for status, robots, kind in (
                (200, file, "file"),
                (200, page, "unreachable" if careful else "file"),
                (200, cut, "unreachable" if careful else "file"),
                (204, None, "empty-file"),
                (403, None, "unreachable" if careful else "forbidden"),
                (404, None, "unavailable"),
                (300, None, "unreachable" if name in ("careful", "rfc9309") else "undefined"),
                (429, None, "unreachable"),
                (503, None, "unreachable"),
                (0, None, "unreachable"),
            ):
                self.assertEqual(policy.read(status, robots), kind, (name, status))

    def test_outage(self):
        file = parse("User-agent: *\nDisallow: /x")
        day = 86400
        for name, effects in (
            ("google", ["file", "disallow-all", "disallow-all", "file"]),
            ("rfc9309", ["file", "file", "file", "file"]),
            ("careful", ["file", "disallow-all", "disallow-all", "disallow-all"]),
        ):
            policy = Policy(name)
            state = State().after("file", 200, file, 0)
            found = [state.judge(policy, 10)[0]]
            self.assertFalse(state.needs_try(policy, day - 1))
            self.assertTrue(state.needs_try(policy, day))
            now = day
            for until in (day + 10, 2 * day, 33 * day):
                while now < until:
                    state = state.after("unreachable", 500, None, now)
                    self.assertFalse(state.needs_try(policy, now + 20))
                    self.assertTrue(state.needs_try(policy, now + 3600 * 1.2))
                    now += day - 1 if until > 2 * day else 40000
                found.append(state.judge(policy, state.checked_at)[0])
            self.assertEqual(found, effects, name)
            state = state.after("file", 200, file, now)
            self.assertEqual((state.tries, state.judge(policy, now)), (0, ("file", file)))

    def test_waits(self):
        policy = Policy("google")
        state = State().after("unreachable", 503, None, 0)
        self.assertEqual(state.judge(policy, 1), ("disallow-all", None))
        self.assertTrue(24 <= state.next_try <= 36)
        self.assertEqual(state.after("unreachable", 503, None, 100, retry_after=5000).next_try, 5100)
        for _ in range(40):
            state = state.after("unreachable", 503, None, 0)
        self.assertTrue(480 <= state.next_try <= 720)
        self.assertEqual(State().after("unreachable", 0, None, 0, retry_after=1e9).next_try, 86400)


if __name__ == "__main__":
    unittest.main()
