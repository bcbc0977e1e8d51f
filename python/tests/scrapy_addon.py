"""Crawls of sites on this machine with the add-on, all at once: PYTHONPATH=src:tests python3 -m unittest tests/scrapy_addon.py, with Scrapy."""

import gzip
import os
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
from urllib.parse import urljoin

import scrapy
from scrapy import signals
from scrapy.crawler import CrawlerProcess
from scrapy.utils.test import get_crawler

from kosterhq_robotstxt.scrapy import Addon, Middleware, Parser

MODULE = "kosterhq_robotstxt.scrapy"
ADDON = f"{MODULE}.Addon"
THEIRS = "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware"
FILE = "User-agent: *\nDisallow: /private\n"
MARK = "--- the next crawl\n"


def response(status, body="", *headers):
    return "\r\n".join([f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", "Connection: close", *headers, "", body]).encode()


DOWN, UP = response(503), response(200, FILE)
HUGE = b"HTTP/1.1 200 OK\r\nContent-Length: 90000034\r\nConnection: close\r\n\r\n" + FILE.encode() + b"# filler\n" * 2_000_000
BOMB = gzip.compress(bytes(200 << 20))
BOMB = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(BOMB) + BOMB
CUT = UP.replace(b"Content-Length: 33", b"Content-Length: 5000")


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        path = self.rfile.readline().split()[1].decode()
        while self.rfile.readline().strip():
            pass
        server = self.server
        if path.endswith("robots.txt"):
            server.robots += 1
            answer = server.answers[min(server.robots, len(server.answers)) - 1]
            if callable(answer):
                answer = answer()
            if server.robots == 1:
                answer = answer.replace(b"{OTHER}", f"http://localhost:{server.server_address[1]}".encode())
        else:
            server.pages.append((path, time.monotonic()))
            answer = response(200, "ok")
            if len(server.pages) >= server.all_pages:
                server.done.set()
        try:
            for at in range(0, len(answer), 65536):
                self.wfile.write(answer[at : at + 65536])
                server.sent += 65536
        except OSError:
            pass


class Crawl:
    """A crawl of one site, and the pages that it must request."""

    def __init__(self, name, answers, want, settings=(), asked=("/open", "/private"), **extra):
        self.name, self.want, self.settings, self.asked, self.extra = name, want, dict(settings), asked, extra
        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.answers, self.server.robots, self.server.pages, self.server.sent = answers, 0, [], 0
        self.server.all_pages, self.server.done = len(want), threading.Event()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.parsed, self.refused, self.reasons, self.delays = [], [], [], set()

    def start(self, process, folder):
        crawl = self

        class Spider(scrapy.Spider):
            name = "spider"
            allowed_domains = crawl.extra.get("domains")
            custom_settings = {  # noqa: RUF012
                "USER_AGENT": "FooBot/1.0 (+https://foobot.example)",
                "ADDONS": {Addon: 300},
                "LOG_LEVEL": "CRITICAL",
                "RETRY_TIMES": 1,
                "DOWNLOAD_DELAY": 0,
                "CONCURRENT_REQUESTS": 4,
                "HTTPCACHE_DIR": os.path.join(folder, crawl.name),
                **crawl.settings,
            }

            async def start(self):
                for page in crawl.asked if not crawl.reasons else ():
                    yield scrapy.Request(urljoin(crawl.url, page), errback=self.failed)

            def parse(self, response):
                crawl.delays.add(self.crawler.engine.downloader.slots[response.meta["download_slot"]].delay)
                for page in crawl.extra.get("links", {}).get(response.url.replace(crawl.url, ""), ()):
                    yield response.follow(page, errback=self.failed)

            def failed(self, failure):
                crawl.refused.append(failure)

        def closed(reason):
            crawl.reasons.append(reason)
            if len(crawl.reasons) < crawl.extra.get("runs", 1):
                crawl.settings["CLOSESPIDER_TIMEOUT"] = 0
                crawl.start(process, folder)

        crawler = process.create_crawler(Spider)
        if hasattr(signals, "robots_parsed"):
            crawler.signals.connect(self.note, signal=signals.robots_parsed)
        crawler.signals.connect(closed, signal=signals.spider_closed, weak=False)
        process.crawl(crawler)

    def answers_with_fault(self):
        """Returns whether the first answer is one of which a warning tells: after the retries, and not from a cache."""
        return self.server.answers[0] is DOWN and self.settings.get("RETRY_ENABLED") is False and "HTTPCACHE_ENABLED" not in self.settings

    def note(self, robotparser, request):
        self.parsed.append(robotparser.crawl_delay("FooBot"))


class TestAddon(unittest.TestCase):
    def test_crawls(self):
        once, no_hold = {"RETRY_ENABLED": False}, {"ROBOTSTXT_HOLD": 0}
        moved = response(301, "", "Location: {OTHER}/robots.txt")
        many = [f"/open{n}" for n in range(9)]
        other = Crawl("other", [UP], many)
        tarpit = [*[f"/page{n}" for n in range(20)], *[f"{other.url}{page}" for page in many]]
        with tempfile.TemporaryDirectory() as folder:
            stored = {"ROBOTSTXT_STORE": os.path.join(folder, "store")}
            crawls = [
                Crawl("one line of settings", [UP], ["/open"]),
                Crawl("not obeyed", [UP], ["/open", "/private"], {"ROBOTSTXT_OBEY": False}),
                Crawl("short outage", [DOWN, UP], ["/open"], once),
                Crawl("more requests than places wait", [DOWN, UP], many, once, asked=many),
                Crawl("what held pages link to", [DOWN, UP], ["/a", "/b", "/c"], once, asked=["/a"], links={"/a": ["/b"], "/b": ["/c"]}),
                Crawl(
                    "closed while requests wait",
                    [DOWN, UP],
                    ["/open"],
                    {**once, "CLOSESPIDER_TIMEOUT": 2, "JOBDIR": os.path.join(folder, "job")},
                    runs=2,
                ),
                Crawl(
                    "tarpit",
                    [lambda: UP if other.server.done.wait(60) else DOWN],
                    tarpit[:20],
                    {**once, **no_hold},
                    asked=tarpit,
                    elsewhere=len(many),
                ),
                Crawl("bomb", [BOMB], [], {**once, **no_hold}),
                Crawl("no retries of what is held", [DOWN], [], {"ROBOTSTXT_HOLD": 40}, asks=4),
                Crawl("outage almost as long as the hold", [DOWN, DOWN, UP], ["/open"], {**once, "ROBOTSTXT_HOLD": 45}, asks=3),
                Crawl("no sooner than the site says", [response(503, "", "Retry-After: 300"), UP], [], {**once, "ROBOTSTXT_HOLD": 10}, asks=1),
                Crawl("no hold", [DOWN, UP], [], {**once, **no_hold}),
                Crawl("a forbidden file is no outage", [response(403)], [], {"ROBOTSTXT_POLICY": "careful"}),
                Crawl("another host", [moved, UP], ["/open"], domains=["127.0.0.1"]),
                Crawl("HTTP cache", [DOWN, UP], ["/open"], {**once, "HTTPCACHE_ENABLED": True}),
                Crawl("bound after a retry", [DOWN, HUGE], ["/open"], most=8_000_000),
                Crawl("cut", [CUT], [], {**once, **no_hold}),
                Crawl("gzip", [response(200, FILE, "Content-Encoding: identity")], ["/open"]),
                Crawl("store", [UP], ["/open"], stored),
                Crawl("signal", [response(200, FILE + "Crawl-delay: 7\n")], ["/open"], {"ROBOTSTXT_MAX_DELAY": 0}, parsed=[7.0]),
                Crawl("delay", [response(200, "User-agent: *\nCrawl-delay: 2\n")], ["/a", "/b", "/c"], asked=["/a", "/b", "/c"], delay=2.0),
            ]
            process = CrawlerProcess({"LOG_LEVEL": "CRITICAL", "TELNETCONSOLE_ENABLED": False})
            for crawl in crawls:
                crawl.start(process, folder)
            with self.assertLogs(MODULE, "WARNING") as logs:
                process.start()
        for crawl in crawls:
            with self.subTest(crawl.name):
                told = sum(f"No robots.txt from {crawl.url}: " in line for line in logs.output)
                self.assertLessEqual(told, crawl.extra.get("runs", 1))  # however often it is asked
                self.assertGreaterEqual(told, crawl.answers_with_fault())
                self.assertEqual(sorted(page for page, _ in crawl.server.pages), sorted(crawl.want))
                found = (
                    len(crawl.want)
                    + crawl.extra.get("elsewhere", 0)
                    - len([page for pages in crawl.extra.get("links", {}).values() for page in pages])
                )
                self.assertEqual(len(crawl.refused), len(crawl.asked) - found)
                self.assertEqual(crawl.reasons[-1], "finished")
                self.assertLess(crawl.server.sent, crawl.extra.get("most", 1 << 40))
                self.assertEqual(crawl.server.robots, crawl.extra.get("asks", crawl.server.robots))
                if "delay" in crawl.extra:
                    times = [at for _, at in crawl.server.pages]
                    self.assertEqual(crawl.delays, {crawl.extra["delay"]})
                    self.assertGreater(times[-1] - times[0], crawl.extra["delay"])  # twice that, on an idle machine
                if hasattr(signals, "robots_parsed") and "parsed" in crawl.extra:
                    self.assertEqual(crawl.parsed, crawl.extra["parsed"])

    def test_silent_sites(self):
        """100 sites that never answer hold up 20 others for a while. Only those that are silent have a short timeout: the others may be slow here."""
        silent = [socket.create_server(("127.0.0.2", 0)) for _ in range(100)]
        good = [Crawl("good", [UP], ["/open"]) for _ in range(20)]
        pages = [f"http://127.0.0.2:{listener.getsockname()[1]}/open" for listener in silent] + [f"{crawl.url}/open" for crawl in good]
        settings = {"DOWNLOADER_MIDDLEWARES": {"__main__.Impatient": 200}, "ROBOTSTXT_HOLD": 0, "RETRY_ENABLED": False, "ADDONS": {ADDON: 300}}
        (log,) = self.run_alone([settings], pages)
        self.assertEqual(log.count("No robots.txt from http://127.0.0.2:"), 100, log)
        self.assertEqual([[page for page, _ in crawl.server.pages] for crawl in good], [["/open"]] * 20, log)
        for listener in silent:
            listener.close()

    def run_alone(self, crawls, pages=()):
        """Returns what crawls with some settings log, one after the other, in a process of their own."""
        code = f"""
import sys
import scrapy
from scrapy import signals
from scrapy.crawler import CrawlerProcess
from scrapy.utils.test import get_crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
class Spider(scrapy.Spider):
    name = "spider"
    async def start(self):
        for page in {list(pages)}:
            yield scrapy.Request(page)
class Own(RobotsTxtMiddleware):
    pass
class Impatient:
    def process_request(self, request):
        request.meta["download_timeout"] = 3 if "//127.0.0.2:" in request.url else 600
process = CrawlerProcess({{"LOG_LEVEL": "WARNING", "TELNETCONSOLE_ENABLED": False}})
def crawl(_, crawls):
    if crawls:
        sys.stderr.write({MARK!r})
        process.crawl(process.create_crawler(type("Spider", (Spider,), {{"custom_settings": crawls[0]}}))).addBoth(crawl, crawls[1:])
crawl(None, {list(crawls)})
process.start()
"""
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        return result.stderr.split(MARK)[1:]

    def test_wrong_settings(self):
        addon, parser, middleware = {"ADDONS": {ADDON: 300}}, {"ROBOTSTXT_PARSER": f"{MODULE}.Parser"}, f"{MODULE}.Middleware"
        obey = {"ROBOTSTXT_OBEY": True}
        cases = (
            (addon, None),
            ({**addon, **obey, **parser}, None),
            ({**obey, "DOWNLOADER_MIDDLEWARES": {THEIRS: None, middleware: 100}}, None),
            ({**addon, "ROBOTSTXT_OBEY": False}, "ROBOTSTXT_OBEY is False, so robots.txt is ignored"),
            ({"DOWNLOADER_MIDDLEWARES": {THEIRS: None, middleware: 100}}, "ROBOTSTXT_OBEY is False, so robots.txt is ignored"),
            ({**obey, **parser, "ROBOTSTXT_POLICY": "careful"}, "for all of it, set ADDONS"),
            ({**obey, "DOWNLOADER_MIDDLEWARES": {middleware: 100}}, "RobotsTxtMiddleware applies robots.txt too"),
            ({**addon, "DOWNLOADER_MIDDLEWARES": {"__main__.Own": 90}}, "Own applies robots.txt too"),
            ({**obey, "DOWNLOADER_MIDDLEWARES": {THEIRS: None, middleware: 950}}, "HttpCacheMiddleware can answer|Middleware to 100"),
        )
        logs = self.run_alone([settings for settings, _ in cases])
        self.assertEqual(len(logs), len(cases))
        for (settings, want), found in zip(cases, logs):
            with self.subTest(settings):
                if want is None:
                    self.assertEqual(found, "")
                else:
                    self.assertRegex(found, want)

    def test_settings_with_wrong_values(self):
        """The error about each setting names it, and what it can be."""
        number, names = "use a number of seconds, or 0", "use google, rfc9309, "
        for name, wrong, want in (
            ("ROBOTSTXT_OBEY", ("maybe", "", []), "use True or False"),
            ("ROBOTSTXT_HOLD", ("abc", "", -1, "nan", True, [], b"x"), number),
            ("ROBOTSTXT_MAX_DELAY", ("abc", "", -1, "nan", True, [], b"x"), number),
            ("ROBOTSTXT_POLICY", ("Google", "", 7, [], b"google"), names + "google-ladder, koster, careful"),
            ("ROBOTSTXT_DIALECT", ("Google", "", 7, [], b"google"), names + "koster1996"),
            ("ROBOTSTXT_USER_AGENT", (7, ["FooBot"]), "use str: a token or"),
            ("ROBOTSTXT_USER_AGENT", ("", "a,b", "Mozilla/5.0 (X11; Linux x86_64)"), "(give|write) (a product token|one crawler)"),
            ("ROBOTSTXT_STORE", ("", 7, [], True, b"x"), "use the name of a file"),
        ):
            for value in wrong:
                crawler = get_crawler(settings_dict={"ROBOTSTXT_OBEY": True, "LOG_LEVEL": "CRITICAL", name: value})
                crawler._apply_settings()
                with self.subTest(name, value=value), self.assertRaisesRegex((TypeError, ValueError), f"^{name}\\b.*: .*{want}"):
                    Middleware(crawler)
        crawler = get_crawler(settings_dict={"ROBOTSTXT_DIALECT": "x", "LOG_LEVEL": "CRITICAL"})
        with self.assertRaisesRegex(ValueError, "ROBOTSTXT_DIALECT 'x'"):  # without the add-on too
            Parser.from_crawler(crawler, b"")

    def test_older_versions(self):
        with unittest.mock.patch("scrapy.version_info", (2, 13, 4)), self.assertRaisesRegex(RuntimeError, "needs Scrapy 2.14 or later"):
            Addon().update_settings({})


if __name__ == "__main__":
    unittest.main()
