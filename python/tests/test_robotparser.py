"""The replacement for urllib.robotparser, with a server on this machine."""

import threading
import unittest
from http.client import IncompleteRead
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.robotparser import RobotFileParser as Theirs

from kosterhq_robotstxt.robotparser import RequestRate, RobotFileParser

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
        if status == 203:
            body = FILE.encode()
        self.send_header("Content-Length", str(len(body) + (status == 203)))
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
                (203, "google", (False, False)),  # cut
                (304, None, (False, False)),
                (103, None, (False, False)),
            ):
                parser = RobotFileParser(f"http://127.0.0.1:{server.server_port}/{status}/robots.txt", policy=policy)
                parser.read()
                self.assertEqual((parser.can_fetch("x", "/x"), parser.can_fetch("x", "/a")), allowed, (status, policy))
            for status, error in ((0, OSError), (203, IncompleteRead)):
                with self.assertRaises(error):
                    RobotFileParser(f"http://127.0.0.1:{server.server_port}/{status}/robots.txt").read()
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def test_other_schemes(self):
        for policy in (None, "google", "careful"):
            for url, allowed in (
                ("data:text/plain,User-agent:*%0ADisallow:/x", (False, True)),
                ("file:///missing/robots.txt", (False, False)),
                ("data:;base64,x", (False, False)),
            ):
                parser = RobotFileParser(url, policy=policy)
                if policy is None and "Disallow" not in url:
                    with self.assertRaises((OSError, ValueError)):
                        parser.read()
                    continue
                parser.read()
                self.assertEqual((parser.can_fetch("x", "/x"), parser.can_fetch("x", "/a")), allowed, (url, policy))

    def test_bad_arguments(self):
        with self.assertRaisesRegex(ValueError, "policy 'Careful': use google, "):
            RobotFileParser(policy="Careful")
        with self.assertRaisesRegex(ValueError, "dialect 'x'"):
            RobotFileParser(dialect="x")
        for name in ("url", "policy", "dialect"):
            for value in (object(), ["x"], 7, b"x"):
                with self.subTest(name, value=value), self.assertRaisesRegex((TypeError, ValueError), f"^{name} .*: use "):
                    RobotFileParser(**{name: value})


if __name__ == "__main__":
    unittest.main()
