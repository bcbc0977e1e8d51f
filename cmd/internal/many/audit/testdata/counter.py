"""Generates crawls of robots.txt files, and counts them without any code of this project.

counter.py generate FOLDER SITES SEED   writes crawl-N.ndjson, crawl-N.warc.gz and strata.csv
counter.py count FOLDER                 prints shares, strata and changes as JSON
"""

import csv
import datetime
import gzip
import json
import os
import random
import re
import sys
from urllib.parse import urljoin, urlsplit

CRAWLS = 3
CRAWLERS = {"GPTBot": ["google", "rfc9309"], "CCBot": ["google", "rfc9309"], "Googlebot": ["google"], "Applebot": ["google", "rfc9309"]}
FALLBACKS = {"Applebot": "googlebot"}  # whose group a crawler obeys if none has its own token

BODIES = [
    "", "User-agent: *\nDisallow: /\n", "User-agent: *\nDisallow:\n", "User-agent: GPTBot\nDisallow: /\n", "User-agent: gptbot\nUser-agent: CCBot\nDisallow: /\n",
    "User-agent: GPTBot/1.1\nDisallow: /\n\nUser-agent: *\nDisallow: /admin/\n", "User-agent: *\nDisallow: /admin/\nDisallow: /sitecore modules/\n",
    "User-agent: GPTBot2\nDisallow: /\n", "User-agent: CCBot2\nDisallow: /\n\nUser-agent: *\nDisallow: /b\n", "User-agent: *\nDisallow: /\nAllow: /index.htm\n",
    "User-agent: *\nDisallow: /*?b=%7e\n", "User-agent: *\nDisallow: /\nAllow: /\n", "\ufeffUser-agent: *\r\nDisallow: /a$\r\n", "# nothing\n",
    "User-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nAllow: /\n", "User-agent: Applebot\nUser-agent: Googlebot\nDisallow: /a\n", "User-agent: *\nUser-agent: Googlebot\nDisallow: /a b\n", "User-agent: CCBot\nAllow: /\n\nUser-agent: *\nDisallow: /\n", "User-agent: CCBot\nDisallow: /x\nCrawl-delay: 3\n\nUser-agent: GPTBot\nDisallow: /\n",
    "<html><body>shop</body></html>",
]


def stamp(rnd, second):
    """Returns a time as some program writes it, and whether a WARC may have it."""
    at = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(seconds=second)
    forms = ["%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M:%S", "%Y%m%d%H%M%S"]
    choice = rnd.randrange(12)
    if choice < 8:
        return at.strftime(forms[choice % 3])
    return [str(int(at.timestamp())), str(int(at.timestamp()) * 1000), (at + datetime.timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M:%S+02:00"), rnd.choice(["", "yesterday"])][choice - 8]


def captures(rnd, host, site):
    """Yields the captures of a site in a crawl: URL, status, location, body, time."""
    urls = {"https": "https://" + host + "/robots.txt", "http": "http://" + host + "/robots.txt"}
    www = "https://www." + host + "/robots.txt"
    shape, body, second = site["shape"], BODIES[site["body"]], rnd.randrange(2_000_000)
    at = lambda: stamp(rnd, second + rnd.randrange(-500_000, 500_000))
    if shape == 0:
        yield urls["http"], 301, urls["https"], "", at()
        yield urls["https"], 200, "", body, at()
    elif shape == 1:  # only the redirect
        yield urls["http"], 301, urls["https"], "", at()
    elif shape == 2:
        yield urls["https"], 301, www, "", at()
        for _ in range(rnd.randrange(1, 4)):
            yield www, 200, "", BODIES[rnd.randrange(len(BODIES))], at()
    elif shape == 3:
        yield urls["https"], 302, "/en/robots.txt", "", at()
        yield "https://" + host + "/en/robots.txt", 200, "", body, at()
    elif shape == 4:  # to another site of the crawl, which may redirect too
        yield urls["https"], 308, "https://s%d.example/robots.txt" % site["to"], "", at()
    elif shape == 5:
        yield urls["https"], rnd.choice([404, 403, 429, 500, 503]), "", "", at()
        if rnd.random() < 0.5:
            yield urls["http"], 200, "", body, at()
    elif shape == 6:
        yield urls["https"], 304, "", "", at()
        if rnd.random() < 0.7:
            yield urls["https"], 200, "", body, at()
    elif shape == 7:  # a cycle
        yield urls["https"], 301, urls["http"], "", at()
        yield urls["http"], 301, urls["https"], "", at()
    elif shape == 8:
        yield urls["https"].replace("example/", "example:8443/"), 200, "", body, at()
        yield urls["https"], 200, "", BODIES[rnd.randrange(len(BODIES))], at()
    else:
        for _ in range(rnd.choice([1, 1, 1, 2, 3])):
            yield urls["https"], 200, "", body, at()
            body = BODIES[rnd.randrange(len(BODIES))]


def warc(url, status, location, body, at):
    head = "HTTP/1.1 %d X\r\nContent-Type: text/plain\r\n" % status
    if location:
        head += "Location: %s\r\n" % location
    block = head.encode() + b"\r\n" + body.encode()
    date = "WARC-Date: %s\r\n" % at if at else ""
    record = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\n%sContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n" % (url, date, len(block))
    return gzip.compress(record.encode() + block + b"\r\n\r\n", 1)


def generate(folder, sites, seed):
    os.makedirs(folder, exist_ok=True)
    rnd = random.Random(seed)
    state = [{"shape": rnd.randrange(20), "body": rnd.randrange(len(BODIES)), "to": rnd.randrange(sites)} for _ in range(sites)]
    for crawl in range(CRAWLS):
        with open("%s/crawl-%d.ndjson" % (folder, crawl), "w") as lines, open("%s/crawl-%d.warc.gz" % (folder, crawl), "wb") as archive:
            for i, site in enumerate(state):
                if rnd.random() < 0.05:
                    continue  # missing in this crawl
                for url, status, location, body, at in captures(rnd, "s%d.example" % i, site):
                    if rnd.random() < 0.5:
                        archive.write(warc(url, status, location, body, at))
                        continue
                    row = {"url": url, "status": status, "location": location, "body": body, "fetched_at": int(at) if at.isdigit() and len(at) == 10 else at}
                    if rnd.random() < 0.1:
                        row["host"] = url.split("/")[2].upper() + ("" if ":" in url.split("/")[2] else ".")
                    lines.write(json.dumps(row) + "\n")
                if rnd.random() < 0.01:
                    lines.write("{broken\n")
        for site in state:
            if rnd.random() < 0.2:
                site["body"] = rnd.randrange(len(BODIES))
            if rnd.random() < 0.05:
                site["shape"] = rnd.randrange(20)
    with open(folder + "/strata.csv", "w") as strata:
        strata.write("host,country\n")
        for i in range(sites):
            if rnd.random() < 0.8:
                strata.write("s%d.example,%s\n" % (i, rnd.choice(["de", "fr", "gb"])))


# Counting.


def millis(text):
    """Returns a time in milliseconds, 0 if it is not known."""
    text = str(text)
    if re.fullmatch(r"\d{10}", text):
        return int(text) * 1000
    if re.fullmatch(r"\d{13}", text):
        return int(text)
    if re.fullmatch(r"\d{14}", text):
        return int(datetime.datetime.strptime(text, "%Y%m%d%H%M%S").replace(tzinfo=datetime.timezone.utc).timestamp()) * 1000
    try:
        at = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return 0
    if at.tzinfo is None:
        at = at.replace(tzinfo=datetime.timezone.utc)
    return int(at.timestamp()) * 1000


def records(name):
    """Yields the responses in a web archive."""
    text = gzip.decompress(open(name, "rb").read())
    at = 0
    while at < len(text):
        end = text.index(b"\r\n\r\n", at)
        fields = dict(line.split(": ", 1) for line in text[at:end].decode().split("\r\n")[1:])
        length = int(fields["Content-Length"])
        block = text[end + 4:end + 4 + length]
        at = end + 4 + length + 4
        head, _, body = block.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines[1:])
        yield fields["WARC-Target-URI"], int(lines[0].split()[1]), headers.get("Location", ""), body.decode(), fields.get("WARC-Date", "")


def inputs(folder, crawl):
    """Yields the captures of a crawl in their order, and None for a broken line."""
    for line in open("%s/crawl-%d.ndjson" % (folder, crawl)):
        try:
            row = json.loads(line)
        except ValueError:
            yield None
            continue
        yield row["url"], row["status"], row["location"], row["body"], row["fetched_at"]
    yield from records("%s/crawl-%d.warc.gz" % (folder, crawl))


def groups(body, dialect):
    """Returns the groups of a file: tokens, and rules as (allow, pattern)."""
    found, agents_open = [], False
    for line in re.split(r"\r\n|\r|\n", body.lstrip("\ufeff")):
        line = line.split("#")[0].strip()
        if ":" not in line:
            continue
        key, value = (part.strip() for part in line.split(":", 1))
        key = key.lower()
        if key == "user-agent":
            if not agents_open:
                found.append((set(), []))
            token = re.match(r"[A-Za-z_-]*" if dialect == "google" else r"[A-Za-z0-9_-]*", value).group()
            found[-1][0].add("*" if value == "*" else token.lower())
            agents_open = True
        elif key in ("allow", "disallow"):
            agents_open = False
            if found and value:
                found[-1][1].append((key == "allow", value))
    return found


def rules_of(body, dialect, crawler):
    found = groups(body, dialect)
    for matched, token in (("name", crawler.lower()), ("fallback", FALLBACKS.get(crawler)), ("star", "*")):
        if any(token in tokens for tokens, _ in found):
            return matched, [rule for tokens, rules in found if token in tokens for rule in rules]
    return "none", []


def matches(pattern, path):
    anchored = pattern.endswith("$")
    parts = [re.escape(part) for part in (pattern[:-1] if anchored else pattern).split("*")]
    return re.match(".*".join(parts) + ("$" if anchored else ""), path) is not None


def allows(rules, path, dialect):
    best = (0, True)
    for allow, pattern in rules:
        weight = len(pattern)
        if not matches(pattern, path):
            folder, _, last = pattern.rpartition("/")
            if not (dialect == "google" and allow and last.startswith("index.htm")):
                continue
            if not matches(folder + "/$", path):
                continue
            weight = len(folder) + 2
        best = max(best, (weight, allow))
    return best[1]


def extent(rules, dialect):
    paths = ["/", "/something-else"]
    for _, pattern in rules:
        for star in ("", "q"):
            paths.append(pattern.rstrip("$").replace("*", star))
    seen = {allows(rules, path if path.startswith("/") else "/" + path, dialect) for path in paths}
    return "partly" if len(seen) == 2 else "open" if True in seen else "closed"


def rest(rules, dialect):
    w = "z" * 40  # no pattern has as many
    paths = [w, w + "/", w + "/" + w, w + "/" + w + "/", w + "/" + w + "/" + w, w + "-" + w]
    return "mostly open" if any(allows(rules, "/" + path, dialect) for path in paths) else "mostly closed"


def treatment(extent, matched):
    if extent != "closed":
        return extent
    return {"name": "closed by name", "fallback": "closed by fallback"}.get(matched, "closed by *")


judged = {}


def judge(body, crawler):
    """Returns the treatment, the treatments by each reading, and how the first was matched."""
    key = body, crawler
    if key not in judged:
        each, named, extents, rests = [], None, [], []
        for dialect in CRAWLERS[crawler]:
            matched, rules = rules_of(body, dialect, crawler)
            extents.append(extent(rules, dialect))
            each.append(treatment(extents[-1], matched))
            rests.append(rest(rules, dialect))
            named = named or matched
        if len(set(extents)) == 1:
            each = [each[0] if each[0] != "partly" or len(set(rests)) == 2 else rests[0]] * len(each)
        judged[key] = (each[0] if len(set(extents)) == 1 else "depends on the parser"), each, named == "name"
    return judged[key]


def origin_of(url):
    parts = urlsplit(url)
    return parts.scheme + "://" + parts.netloc.lower().rstrip(".")


def read(folder, crawl):
    """Returns the class and the verdicts of each site: known ones have a verdict by crawler."""
    urls, lost, number = {}, 0, 0
    for capture in inputs(folder, crawl):
        number += 1
        if capture is None:
            lost += 1
            continue
        url, status, location, body, at = capture
        urls.setdefault(url, []).append({"key": (millis(at), number), "url": url, "status": status, "to": urljoin(url, location) if location else "", "body": body})
    for list in urls.values():
        list.sort(key=lambda c: c["key"])
        for i, c in enumerate(list):  # a 304 has the file of the newest earlier capture with a file
            earlier = [e for e in list[:i] if e["status"] == 200]
            if c["status"] == 304 and earlier:
                c.update(status=200, body=earlier[-1]["body"])
    newest = lambda list: max(list, key=lambda c: c["key"])

    def near(list, at):
        return max(list, key=lambda c: (-abs(c["key"][0] - at) if at else 0, c["key"]))

    def follow(first):
        capture, hops = first, 0
        while capture["status"] in (301, 302, 303, 307, 308):
            if hops == 5:
                return {"status": 404, "body": ""}
            list = urls.get(capture["to"])
            if not list:
                return first
            capture, hops = near(list, first["key"][0]), hops + 1
        return capture

    sites = {}
    for host in {origin_of(url).split("://")[1] for url in urls if urlsplit(url).path == "/robots.txt"}:
        chosen = urls.get("https://" + host + "/robots.txt")
        http = urls.get("http://" + host + "/robots.txt")
        if not chosen or http and newest(chosen)["status"] >= 500:
            chosen = http or chosen
        sites[host] = verdicts(follow(newest(chosen)))
    return sites, lost


def verdicts(capture):
    status, body = capture["status"], capture["body"]
    if status == 304:
        return "revisit", None
    if 300 <= status < 400:
        return "redirect", None
    if status >= 500 or status == 429:
        return "closed by status", {c: ("closed by status", ["closed by status"] * 2, False) for c in CRAWLERS}
    if status >= 400:
        return "open by status", {c: ("open by status", ["open by status"] * 2, False) for c in CRAWLERS}
    if body.startswith("<html>"):
        return "html", None
    return ("text" if body else "empty"), {c: judge(body, c) for c in CRAWLERS}


STRICT = {"open": 0, "open by status": 0, "mostly open": 1, "mostly closed": 2, "closed by name": 3, "closed by fallback": 3, "closed by *": 3, "closed by status": 3}


def direction(before, after):
    """Returns 1 if less is open after than before, and -1 if more is. If one is only partly, so are the other two."""
    if "partly" in (before, after):
        before, after = ["mostly open" if x in ("partly", "mostly closed") else x for x in (before, after)]
    return (STRICT[after] > STRICT[before]) - (STRICT[after] < STRICT[before])


def count(folder):
    crawls, counts, changes = [], {}, []
    strata = {row["host"]: row["country"] for row in csv.DictReader(open(folder + "/strata.csv"))}
    stratum_of = lambda host: strata.get(host) or strata.get(host.removeprefix("www.")) or "unlisted"

    def add(*key):
        counts[" / ".join(key)] = counts.get(" / ".join(key), 0) + 1

    for crawl in range(CRAWLS):
        sites, lost = read(folder, crawl)
        crawls.append(sites)
        for _ in range(lost):
            add(str(crawl), "lost")
        for host, (kind, of) in sites.items():
            add(str(crawl), "sites")
            add(str(crawl), "class", kind)
            for crawler, (how, _, named) in (of or {}).items():
                add(str(crawl), crawler, how)
                add(str(crawl), "stratum", stratum_of(host), crawler, how)
                if named:
                    add(str(crawl), crawler, "named")
    for before, after in [(0, 1), (1, 2), (0, 2)]:
        label = "%d-%d" % (before, after)
        for host in crawls[before]:
            if host not in crawls[after]:
                add(label, "vanished")
        for host, (_, is_) in crawls[after].items():
            if host not in crawls[before]:
                add(label, "appeared")
                continue
            add(label, "both")
            was = crawls[before][host][1]
            if was is None or is_ is None:
                continue
            for crawler in CRAWLERS:
                (a, old, named_before), (b, new, named_now) = was[crawler], is_[crawler]
                old, new = old[:len(CRAWLERS[crawler])], new[:len(CRAWLERS[crawler])]
                directions = {direction(x, y) for x, y in zip(old, new)}
                add(label, crawler, "known")
                if directions == {1}:
                    add(label, crawler, "less open")
                if directions == {-1}:
                    add(label, crawler, "more open")
                is_fault = "closed by status" in old + new  # a fault shows no names
                if named_now and not named_before and not is_fault:
                    add(label, crawler, "named now")
                if named_before and not named_now and not is_fault:
                    add(label, crawler, "no longer named")
                same = lambda x, y: x == y or "partly" in (x, y) and direction(x, y) == 0
                if not any(same(x, y) for x, y in zip(old, new)):
                    words = lambda each: each[0] if len(set(each)) == 1 else " or ".join(each)
                    changes.append(",".join([str(before), str(after), host, crawler, words(old), words(new), stratum_of(host)]))
    return {"counts": counts, "changes": sorted(changes)}


if sys.argv[1] == "generate":
    generate(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
else:
    json.dump(count(sys.argv[2]), sys.stdout)
