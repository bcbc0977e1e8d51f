"""Where redirects lead: conformance/locations.json."""

import json
import socketserver
import threading
import unittest
from urllib.parse import urlsplit

from kosterhq_robotstxt.robotparser import RobotFileParser
from kosterhq_robotstxt.url import target_of
from vectors import read

LOCATIONS = json.loads(read("conformance", "locations.json"))


class Site(socketserver.StreamRequestHandler):
    """Redirects to the URL from, from there to a Location, and has a file everywhere else."""

    def handle(self):
        asked = self.rfile.readline().split()[1].decode("latin-1")
        while self.rfile.readline().strip():
            pass
        self.server.asked.append(asked)
        answer = b"HTTP/1.0 200 OK\r\n\r\nUser-agent: *\nDisallow: /x"
        if len(self.server.asked) <= 2:
            to = [self.server.first, self.server.location][len(self.server.asked) - 1]
            answer = b"HTTP/1.0 302 Found\r\nLocation: " + to.encode() + b"\r\n\r\n"
        self.wfile.write(answer)


class TestLocations(unittest.TestCase):
    def test_targets(self):
        self.assertEqual(LOCATIONS["format"], 1)
        for case in LOCATIONS["cases"]:
            self.assertEqual(target_of(LOCATIONS["from"], case["location"].encode()), case["target"], case["location"])
        self.assertEqual(target_of(LOCATIONS["from"], b"/caf\xe9?\xe9"), "http://shop.example/caf%E9?%E9")
        self.assertEqual(target_of(LOCATIONS["from"], b"/" + b"x" * 8192), None)
        for host in ("[::ffff:1.2.3.4]", "[::FFFF:102:304]"):
            self.assertEqual(target_of(LOCATIONS["from"], f"//{host}/".encode()), "http://[::ffff:102:304]/")
        self.assertEqual(target_of("https://h", b"x?"), "https://h/x?")

    def test_requests(self):
        start = urlsplit(LOCATIONS["from"])
        origin = f"http://{start.netloc}"
        with socketserver.TCPServer(("127.0.0.1", 0), Site) as server:
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            host = f"127.0.0.1:{server.server_address[1]}"
            count = 0
            for case in LOCATIONS["cases"]:
                location, target = case["location"], case["target"]
                if target is None or not target.startswith(f"{origin}/") or location != location.strip() or "\n" in location:
                    continue
                server.asked, server.first, server.location = [], LOCATIONS["from"][len(origin) :], location.replace(start.netloc, host)
                parser = RobotFileParser(f"http://{host}/robots.txt")
                parser.read()
                self.assertEqual(server.asked[2:], [target[len(origin) :]], location)
                self.assertEqual((parser.can_fetch("x", "/x"), parser.can_fetch("x", "/")), (False, True))
                count += 1
            server.asked, server.first, server.location = [], "/r", "ftp://x/"
            parser = RobotFileParser(f"http://{host}/robots.txt")
            parser.read()
            self.assertEqual((parser.allow_all, parser.disallow_all, parser.can_fetch("x", "/")), (False, False, False))
            server.shutdown()
            thread.join()
        self.assertGreater(count, 40)


if __name__ == "__main__":
    unittest.main()
