"""The client: conformance/timelines.json, stores and memory without a network, and sites on this machine with each library that is here."""

import asyncio
import gzip
import importlib
import inspect
import json
import re
import socket
import socketserver
import subprocess
import sys
import threading
import time
import unittest
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor

from kosterhq_robotstxt.client import AsyncRobotsClient, RobotsClient, Sites
from kosterhq_robotstxt.headers import headers_of, lifetime, retry_after
from vectors import read

UA = "FooBot/1.0 (+https://foobot.example)"
PAGE = "https://shop.example/private"
FILE = b"User-agent: *\nDisallow: /private\n"


def answer(attempt, response):
    """Answers the request of an attempt as a step of a timeline says."""
    if response["status"] == 0:
        attempt.fail(ConnectionResetError("reset"))
        return
    body = response.get("body", "").encode() + b64decode(response.get("base64", "")) + b"# filler\n" * response.get("pad", 0)
    headers = {name: value.encode() for name, value in response.get("headers", {}).items()}
    headers["Content-Length"] = str(len(body) + 5000 * response.get("cut", False))
    if attempt.head(response["status"], headers):
        for at in range(0, len(body), 1000):
            if not attempt.data(body[at : at + 1000]):
                break
    attempt.end()


def know(sites, status=200, body=FILE, url=PAGE):
    """Answers the attempt that is due with one response, and reports whether there was one."""
    attempt = sites.attempt(url)
    if attempt is None:
        return False
    answer(attempt, {"status": status, "body": body.decode()})
    sites.keep(attempt)
    return True


class TestTimelines(unittest.TestCase):
    def test_timelines(self):
        timelines = json.loads(read("conformance", "timelines.json"))
        self.assertEqual(timelines["format"], 1)
        count = 0
        for case in timelines["cases"]:
            for policy in case["policies"]:
                with self.subTest(case["name"], policy=policy):
                    self.play(timelines, case["steps"], policy)
                count += 1
        self.assertGreater(count, 800)
        print(f"{count} timelines")

    def play(self, timelines, steps, policy):
        now = [0.0]
        sites = Sites(timelines["user_agent"], policy=policy, now=lambda: now[0])
        url, answers = "", {}
        for step in steps:
            now[0] = float(timelines["start"] + step["at"])
            url, answers, want = step.get("url", url), step.get("answers", answers), step["want"]
            asked = []
            attempt = sites.attempt(url)
            while attempt is not None and not attempt.done:
                asked.append(attempt.url)
                answer(attempt, answers.get(attempt.url) or answers["*"])
            if attempt is not None:
                sites.keep(attempt)
            found = sites.check(url)
            site = found.site
            got = (asked, site.outcome, site.status, found.allowed, len(site.hops), site.source == "stale")
            self.assertEqual(got, (want["asked"], want["outcome"], want["status"], want["allowed"], want.get("hops", 0), want.get("stale", False)))
            self.assertEqual(int(site.fresh_until - now[0]) if site.fresh_until else 0, want.get("fresh", 0))
            self.assertEqual(site.next_try is None, "wait" not in want)
            if site.next_try is not None:
                self.assertTrue(want["wait"][0] - 1 <= site.next_try - now[0] <= want["wait"][1] + 1, (site, want))


class TestHeaders(unittest.TestCase):
    def test_lifetimes(self):
        for case in json.loads(read("fetch", "testdata", "lifetimes.json")):
            pairs = list(zip(case["headers"][::2], case["headers"][1::2]))
            self.assertEqual(lifetime(headers_of(pairs), 1793534400.0), case["seconds"], case)

    def test_any_headers(self):
        began = time.process_time()
        for value in ('"' * 60_000, '"\\' * 30_000, "," * 60_000, "9" * 60_000, "Thu, 01 Jan 99999999999 00:00:00 GMT", "max-age=" * 7000, "\0\xff"):
            some = value[:1000]
            read = headers_of({"Cache-Control": value, "Expires": some, "Retry-After": some.encode("latin-1"), "Age": [some]})
            self.assertTrue(0 <= (lifetime(read, 0) or 0) < 2**31)
            self.assertTrue(0 <= retry_after(read, 0) < 2**31)
        self.assertLess(time.process_time() - began, 20)
        with self.assertRaises(ValueError):
            headers_of([("X", "x" * 70_000)])


class TestSites(unittest.TestCase):
    def test_stores(self):
        now = [1767225600.0]
        store = {}

        def new(**options):
            return Sites(UA, now=lambda: now[0], **{"store": store, **options})

        self.assertTrue(know(new()))
        self.assertEqual(list(store), ["https://shop.example"])
        second = new()
        self.assertFalse(know(second))
        self.assertEqual((second.check(PAGE).allowed, second.site(PAGE).source), (False, "memory"))
        now[0] += 90_000
        self.assertTrue(know(new(), 503, b""))
        third = new()
        self.assertFalse(know(third))  # the outage is shared, and so is the copy
        self.assertEqual(third.check(PAGE).site[1:4], ("disallow-all", "assumed", 503))
        now[0] += 50
        for _ in range(33):
            now[0] += 86_400
            self.assertTrue(know(third, 503, b""))
        self.assertEqual(new().attempt(PAGE), None)
        self.assertEqual(third.check(PAGE).site[1:4], ("rules", "stale", 200))
        self.assertTrue(know(new(policy="careful"), 404, b""))

        class Broken(dict):
            def __getitem__(self, key):
                raise OSError("broken")

            __setitem__ = __getitem__

        entry = store["https://shop.example"]
        row = json.loads(entry[len(b"robotstxt 2 ") :])
        at = 1000 * now[0]
        fault = {"kind": "status", "text": "x", "status": 503, "url": PAGE, "hops": [], "since": at, "tries": 1, "nextTry": at + 9000}
        right = b"robotstxt 2 " + json.dumps({**row, "checkedAt": at, "answer": None, "fault": fault}).encode()
        self.assertFalse(know(new(policy="careful", store={"https://shop.example": right})))
        wrong = [
            b"",
            b"robotstxt 2 {",
            b"robotstxt 2 []",
            b"robotstxt 9 {}",
            "text",
            5,
            None,
            entry[:-1],
            entry.replace(b"robotstxt 2", b"robotstxt 3"),
        ]
        for change in (
            {"checkedAt": "x"},
            {"more": 1},
            {"answer": None, "fault": None},
            {"answer": {**row.get("answer", {}), "body": "?"}},
            {"answer": {**row["answer"], "truncated": "no"}},
            {"answer": {**row["answer"], "lifetime": float("inf")}},
            {"answer": {**row["answer"], "body": "eHh4" * 200_000}},
            {"answer": {**row["answer"], "hops": [{"url": 5, "status": 302}]}},
            {"fault": {}},
            {"fault": {**fault, "since": float("nan")}},
            {"fault": {**fault, "since": -1e999}},
            {"fault": {**fault, "since": 10**400}},
            {"fault": {**fault, "tries": 10**400}},
            {"fault": {**fault, "tries": -1}},
            {"fault": {**fault, "status": "503"}},
            {"fault": {**fault, "more": 1}},
        ):
            wrong.append(b"robotstxt 2 " + json.dumps({**row, **change}).encode())
        for other in [Broken(), *({"https://shop.example": value} for value in wrong)]:
            sites = new(store=other, policy="careful")
            self.assertTrue(know(sites, 404, b""), other)
            self.assertTrue(sites.allowed(PAGE))

    def test_memory(self):
        sites = Sites(UA, max_memory=100_000)
        big = FILE + b"#" * 9000
        for n in range(50):
            know(sites, 200, big, f"https://s{n}.example/")
        kept = [n for n in range(50) if sites.attempt(f"https://s{n}.example/") is None]
        self.assertEqual(kept, list(range(40, 50)))
        self.assertLessEqual(len(sites._files), 10)
        many = Sites(UA)
        for n in range(300):
            know(many, 200, FILE, f"https://s{n}.example/")
            self.assertFalse(many.allowed(f"https://s{n}.example/private"))
        self.assertEqual(len(many._files), 256)
        for n in range(20):
            know(many, 200, FILE + b"#" * 500_000, f"https://big{n}.example/")
            many.site(f"https://big{n}.example/")
        self.assertEqual((len(many._files), many._parsed), (8, sum(len(answer.body) for answer, _, _ in many._files.values())))

    def test_memory_of_urls(self):
        sites = Sites(UA, max_memory=1 << 20)
        for n in range(30):
            attempt = sites.attempt(f"https://s{n}.example/")
            while not attempt.done:
                answer(attempt, {"status": 302, "headers": {"Location": "/" + "é" * 2000}})
            sites.keep(attempt)
        self.assertLess(len(sites._memory), 20)

    def test_bad_arguments(self):
        for error, word, call in (
            (ValueError, "names no crawler", lambda: Sites("Mozilla/5.0 (X11; Linux x86_64)")),
            (ValueError, "name the crawler", lambda: Sites(" ")),
            (ValueError, "name the crawler", lambda: Sites("FooBot\r\nX: y")),
            (ValueError, "only ASCII", lambda: Sites("FooBot/1.0 (+https://b\u00fccher.example)")),
            (ValueError, "only ASCII", lambda: RobotsClient("FooBot/1.0 (\u8718\u86db)")),
            (ValueError, "policy 'x'", lambda: Sites(UA, policy="x")),
            (ValueError, "max_body is 1: use at least 512000", lambda: Sites(UA, max_body=1)),
            (TypeError, "timeout is str: use a number of seconds", lambda: RobotsClient(UA, timeout="30")),
            (ValueError, "dialect 'x'", lambda: Sites(UA, dialect="x")),
            (ValueError, "absolute URL", lambda: Sites(UA).attempt("/private")),
            (ValueError, "absolute URL", lambda: Sites(UA).check("ftp://shop.example/")),
            (
                TypeError,
                "http is dict: use an object of requests.Session, httpx.Client, or AsyncRobotsClient with others",
                lambda: RobotsClient(UA, {}),
            ),
            (
                TypeError,
                "use an object of httpx.AsyncClient, aiohttp.ClientSession, or RobotsClient with others",
                lambda: AsyncRobotsClient(UA, None),
            ),
        ):
            with self.assertRaisesRegex(error, word):
                call()

    def test_wrong_options(self):
        """The error about a wrong value names the option."""
        for name in list(inspect.signature(Sites).parameters):
            wrong = [object(), ["x"], 5j, {"x"}, range(10**9)]
            if name.startswith("max_") or name == "timeout":
                wrong += ["30", True, float("nan"), -1, 0, b"30"]
            for value in wrong:
                with self.subTest(name, value=value), self.assertRaisesRegex((TypeError, ValueError), f"^{name} .{{,150}}: (use|give) "):
                    Sites(**{"user_agent": UA, name: value})

    def test_what_a_caller_does_wrong(self):
        sites = Sites(UA)
        attempt = sites.attempt(PAGE)
        attempt.end()
        self.assertEqual((attempt.done, attempt.fault.kind), (True, "network"))
        self.assertFalse(attempt.head(200, {}))
        sites.keep(attempt)
        self.assertEqual(sites.check(PAGE)[:2], ("unknown", False))
        attempt = Sites(UA).attempt(PAGE)
        attempt.head(200, {"X": "x" * 70_000})
        self.assertIn("too large", attempt.fault.text)
        for length in ("-5", "5, 6", ["5", "6"], "x", ""):
            attempt = Sites(UA).attempt(PAGE)
            attempt.head(200, {"Content-Length": length})
            self.assertEqual((attempt.status, attempt.fault.kind), (0, "network"), length)


class Site(socketserver.StreamRequestHandler):
    def handle(self):
        self.server.asked += 1
        self.server.heads.append([])
        while True:
            line = self.rfile.readline().strip()
            if not line:
                break
            self.server.heads[-1].append(line.decode())
        try:
            for part in self.server.parts:
                time.sleep(self.server.pause)
                self.wfile.write(part)
        except OSError:
            pass


def served(test, parts, pause=0.0):
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Site)
    server.daemon_threads, server.request_queue_size = True, 100
    server.parts, server.pause, server.asked = parts, pause, 0
    server.heads = []
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    return server, f"http://127.0.0.1:{server.server_address[1]}/private"


def library(name, kind):
    """Returns an object of a library, None if it is not here."""
    try:
        return getattr(importlib.import_module(name), kind)
    except ImportError:
        return None


ZIPPED = gzip.compress(FILE)
HEAD = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"


class TestClients(unittest.TestCase):
    """What arrives on the wire means the same with each library."""

    SITES = (
        ("whole", [HEAD % len(FILE), FILE], "rules", False),
        ("cut", [HEAD % 900, FILE], "disallow-all", False),
        ("cut chunk", [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n400\r\n", FILE], "disallow-all", False),
        ("garbage", [b"HELLO\r\n\r\n"], "disallow-all", False),
        ("nothing", [], "disallow-all", False),
        ("loop", [b"HTTP/1.1 302 F\r\nLocation: /robots.txt\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"], "allow-all", True),
        ("codings", [HEAD[:-2] % len(ZIPPED) + b"Content-Encoding: identity, gzip\r\n\r\n", ZIPPED], "rules", False),
        ("x-gzip", [HEAD[:-2] % len(ZIPPED) + b"Content-Encoding: x-gzip\r\n\r\n", ZIPPED], "rules", False),
        ("cut gzip", [b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: gzip\r\n\r\n", ZIPPED[:-9]], "disallow-all", False),
        (
            "two lengths",
            [b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n21\r\n", FILE + b"\r\n0\r\n\r\n"],
            "rules",
            False,
        ),
        ("body of a redirect", [b"HTTP/1.1 302 F\r\nLocation: http://127.0.0.1:1/\r\n\r\n", *[b"#" * 65536] * 8000], "disallow-all", False),
        ("404", [b"HTTP/1.1 404 N\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"], "allow-all", True),
    )

    def check(self, name, ask):
        for site, parts, outcome, allowed in self.SITES:
            if (name, site) == ("aiohttp", "two lengths"):
                continue  # its parser refuses such a response
            _, url = served(self, parts)
            found = ask(url, 10)
            self.assertEqual((found.site.outcome, found.allowed), (outcome, allowed), (name, site, found.site.fault))
        for hold in (
            [HEAD % 4000, *[b"#"] * 4000],
            [b"HTTP/1.1 200 OK\r\n", *[b"X: y\r\n"] * 4000],
            [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n21\r\n", FILE, b"\r\n0\r\n", *[b"X: y\r\n"] * 4000],
            [b"HTTP/1.1 100 Continue\r\n\r\n"] * 4000,
        ):
            _, url = served(self, hold, 0.05)
            began = time.monotonic()
            found = ask(url, 1).site
            self.assertLess(time.monotonic() - began, 60, name)  # the site sends for 200 seconds
            self.assertEqual((found.outcome, found.fault.kind in ("timeout", "network")), ("disallow-all", True), (name, found))
        ends = time.monotonic() + 60
        while any(thread.name == "robots.txt" for thread in threading.enumerate()) and sys.implementation.name == "cpython":
            self.assertLess(time.monotonic(), ends, "a thread goes on")
            time.sleep(0.05)

    def test_threads(self):
        for name, new in (("urllib", lambda: None), ("requests", library("requests", "Session")), ("httpx", library("httpx", "Client"))):
            if new is None:
                continue
            self.check(name, lambda url, timeout, new=new: RobotsClient(UA, new(), timeout=timeout).check(url))
            server, url = served(self, [HEAD % len(FILE), FILE], 0.2)
            client, got = RobotsClient(UA, new()), []
            threads = [threading.Thread(target=lambda client=client, url=url, got=got: got.append(client.allowed(url))) for _ in range(20)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual((server.asked, got), (1, [False] * 20), name)

    def test_a_slow_import(self):
        """The time that the standard library takes until it is imported is not the site's."""
        code = f"""
import sys, time
from kosterhq_robotstxt.client import RobotsClient
class Slow:
    def find_spec(self, name, *_):
        if name == "urllib.request":
            time.sleep(4)
sys.modules.pop("urllib.request", None)
sys.meta_path.insert(0, Slow())
print(RobotsClient({UA!r}, timeout=3).check(sys.argv[1]).verdict)
"""
        server, url = served(self, [HEAD % 2, b"\n\n"])
        result = subprocess.run([sys.executable, "-c", code, url], capture_output=True, text=True, check=True)
        self.assertEqual((server.asked, result.stdout), (1, "allowed\n"))

    # Silent sites take all connections of a library until their timeout: others wait for longer than that, and are asked then.

    def silent(self):
        """Returns the URLs of 10 sites that take a connection and never answer, and 5 others."""
        silent = []
        for _ in range(10):
            listener = socket.create_server(("127.0.0.1", 0))
            self.addCleanup(listener.close)
            silent.append(f"http://127.0.0.1:{listener.getsockname()[1]}/private")
        return silent, [served(self, [HEAD % len(FILE), FILE]) for _ in range(5)]

    def check_silent(self, name, found, good):
        self.assertEqual([answer.verdict for answer in found[:10]], ["unknown"] * 10, name)
        for answer, (server, _) in zip(found[10:], good):
            self.assertEqual((server.asked, answer.verdict), (1, "disallowed"), (name, answer.site.fault))

    def test_sites_that_are_silent(self):
        requests, httpx = library("requests", "Session"), library("httpx", "Client")
        for name, new in (
            ("urllib", lambda: None),
            ("requests", requests),
            ("httpx", httpx and (lambda: httpx(limits=library("httpx", "Limits")(max_connections=10)))),
        ):
            if new is None:
                continue
            silent, good = self.silent()
            client = RobotsClient(UA, new(), timeout=5)
            with ThreadPoolExecutor(15) as pool:
                found = list(pool.map(client.check, silent + [url for _, url in good]))
            self.check_silent(name, found, good)

    def test_tasks_and_sites_that_are_silent(self):
        async def ask(new, urls):
            async with new() as http:
                client = AsyncRobotsClient(UA, http, timeout=5)
                return await asyncio.gather(*map(client.check, urls))

        httpx, aiohttp = library("httpx", "AsyncClient"), library("aiohttp", "ClientSession")
        for name, new in (
            ("httpx", httpx and (lambda: httpx(limits=library("httpx", "Limits")(max_connections=10)))),
            ("aiohttp", aiohttp and (lambda: aiohttp(connector=library("aiohttp", "TCPConnector")(limit=10)))),
        ):
            if new is None:
                continue
            silent, good = self.silent()
            self.check_silent(name, asyncio.run(ask(new, silent + [url for _, url in good])), good)

    def test_examples(self):
        """The crawlers of the documents get the page that is allowed, of a site that answers."""
        for *document, name in (("python", "README.md", "httpx"), ("docs", "python.md", "aiohttp")):
            if library(name, "__name__") is None:
                continue
            (code,) = re.findall(rf"```python\n(import asyncio\n\nimport {name}\n.*?)```", read(*document), re.DOTALL)
            names = {}
            exec(compile(code, name, "exec"), names)
            _, url = served(self, [HEAD % len(FILE), FILE])
            _, down = served(self, [b"HTTP/1.1 503 X\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"])
            page, *refused = asyncio.run(names["crawl"]([url.replace("private", "open"), url, down]))
            self.assertEqual(page.content if name == "httpx" else page, FILE)
            self.assertEqual(refused, [None, None])

    def test_sessions(self):
        """What a session does with each of its requests: credentials are for the site that is asked about, and an error for a status is none."""

        async def ask(new, url):
            async with new() as http:
                return await AsyncRobotsClient(UA, http).site(url)

        def asked(name, new, url):
            return asyncio.run(ask(new, url)) if name in ("AsyncClient", "ClientSession") else RobotsClient(UA, new()).site(url)

        def refuse(response, *_, **__):
            raise OSError(response)

        secret = {"headers": {"Authorization": "secret"}}
        for library_name, name, options in (
            ("requests", "Session", {"hooks": {"response": [refuse]}, **secret}),
            ("requests", "Session", {"auth": ("secret", "")}),
            ("httpx", "Client", secret),
            ("httpx", "Client", {"auth": ("secret", "")}),
            ("httpx", "AsyncClient", secret),
            ("aiohttp", "ClientSession", {"raise_for_status": True, **secret}),
        ):
            kind = library(library_name, name)
            if kind is None:
                continue

            def new(kind=kind, name=name, options=options):
                if name != "Session":
                    return kind(**options)
                session = kind()
                for key, value in options.items():
                    setattr(session, key, value)
                return session

            other, to = served(self, [HEAD % len(FILE), FILE])
            first, url = served(self, [f"HTTP/1.1 302 F\r\nConnection: close\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n".encode()])
            self.assertEqual(asked(name, new, url).outcome, "rules", name)
            told = [[line for line in server.heads[0] if "secret" in line or "c2VjcmV0" in line] for server in (first, other)]
            self.assertEqual((len(told[0]), told[1]), (1, []), name)
            if name in ("Session", "ClientSession"):
                _, url = served(self, [b"HTTP/1.1 404 N\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"])
                self.assertEqual(asked(name, new, url).outcome, "allow-all", name)

    def test_tasks(self):
        async def ask(new, url, timeout):
            async with new() as http:
                return await AsyncRobotsClient(UA, http, timeout=timeout).check(url)

        async def share(new, url):
            async with new() as http:
                client = AsyncRobotsClient(UA, http)
                first = asyncio.ensure_future(client.allowed(url))
                await asyncio.sleep(0.05)
                rest = [asyncio.ensure_future(client.allowed(url)) for _ in range(20)]
                first.cancel()
                return await asyncio.gather(*rest)

        for name, kind in (("httpx", "AsyncClient"), ("aiohttp", "ClientSession")):
            new = library(name, kind)
            if new is None:
                continue
            self.check(name, lambda url, timeout, new=new: asyncio.run(ask(new, url, timeout)))
            server, url = served(self, [HEAD % len(FILE), FILE], 0.2)
            self.assertEqual((asyncio.run(share(new, url)), server.asked), ([False] * 20, 1), name)
            asyncio.run(self.forget_to_await(new, url))

    async def forget_to_await(self, new, url):
        async with new() as http:
            client = AsyncRobotsClient(UA, http)
            for ask in (client.allowed, client.check, client.site):
                for use in (bool, lambda answer: not answer, lambda answer: any([answer]), lambda answer: [1 for _ in [0] if answer]):
                    with self.assertRaisesRegex(TypeError, "must be awaited: if await"):
                        use(ask(url))
            self.assertIs(await asyncio.create_task(client.allowed(url)), False)
            self.assertIs(await asyncio.wait_for(client.allowed(url), 10), False)


if __name__ == "__main__":
    unittest.main()
