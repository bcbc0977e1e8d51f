"""Writes two crawls of hosts of many kinds as web archives, and what is true of them by construction.

worlds.py FOLDER HOSTS SEED   writes 0.warc.gz and 1.warc.gz in the folder, and prints counts, changes and the sites as JSON
"""

import base64
import collections
import gzip
import hashlib
import json
import random
import sys
import zlib

BODY = {"N": b"User-agent: GPTBot\nDisallow: /\n", "S": b"User-agent: *\nDisallow: /\n", "P": b"User-agent: GPTBot\nDisallow: /premium/\n", "O": b"User-agent: *\nDisallow:\n"}
WORDS = {"N": "closed by name", "S": "closed by *", "P": "mostly open", "O": "open", "404": "open by status", "503": "closed by status"}
LEVEL = {"open": 0, "open by status": 0, "mostly open": 1, "closed by name": 3, "closed by *": 3, "closed by status": 3}
PAGE = b"<!doctype html><title>shop</title>"


def sha1(body):
    return "sha1:" + base64.b32encode(hashlib.sha1(body).digest()).decode()


def sha256(body):
    return "sha256:" + hashlib.sha256(body).hexdigest()


def flate(body):
    c = zlib.compressobj(9, zlib.DEFLATED, -15)
    return c.compress(body) + c.flush()


def record(url, status=200, body=b"", head="", day=10, digest=None, revisit=False, refers=None, before="", truncated=False):
    block = before.encode() + ("HTTP/1.1 %d X\r\n%s\r\n" % (status, head)).encode() + (b"" if revisit else body)
    fields = ["WARC/1.0", "WARC-Type: " + ("revisit" if revisit else "response"), "WARC-Target-URI: " + url, "WARC-Date: 2026-01-%02dT00:00:00Z" % day,
              "Content-Type: application/http; msgtype=response", "Content-Length: %d" % len(block)]
    if digest:
        fields.append("WARC-Payload-Digest: " + digest)
    if refers:
        fields += ["WARC-Refers-To-Target-URI: " + refers[0], "WARC-Refers-To-Date: 2026-01-%02dT00:00:00Z" % refers[1]]
    if truncated:
        fields.append("WARC-Truncated: length")
    return gzip.compress(("\r\n".join(fields) + "\r\n\r\n").encode() + block + b"\r\n\r\n", 1)


def moved(url, to, status=301, **more):
    return record(url, status, head="Location: %s\r\n" % to, **more)


# Each kind returns the records of a host h with the file b, whose code is c, another code o, and what is true of each
# site: its code, "404" or "503" if a status decides, or the class of a site whose rules are not known.


def kinds():
    all = []
    kind = lambda f: all.append(f) or f
    r = lambda h: "https://" + h + "/robots.txt"
    simple = lambda make, truth=None: kind(lambda h, b, c, o: (make(h, b, o), {h: truth or c}))
    simple(lambda h, b, o: [record(r(h), body=b)])
    simple(lambda h, b, o: [record("http://" + h + "/robots.txt", body=b)])
    simple(lambda h, b, o: [moved("http://" + h + "/robots.txt", r(h)), record(r(h), body=b)])
    kind(lambda h, b, c, o: ([moved(r(h), r("www." + h)), record(r("www." + h), body=b)], {h: c, "www." + h: c}))
    kind(lambda h, b, c, o: ([moved(r(h), "\\\\www." + h + "\\robots.txt"), record(r("www." + h), body=b)], {h: c, "www." + h: c}))
    simple(lambda h, b, o: [moved(r(h), "/en/robots.txt"), record("https://" + h + "/en/robots.txt", body=b)])
    simple(lambda h, b, o: [moved(r(h), "https:live/robots.txt"), record("https://" + h + "/live/robots.txt", body=b)])
    simple(lambda h, b, o: [moved(r(h), "/live", 302), record("https://" + h + "/live", body=b), record("https://" + h + "/other", body=BODY[o])])
    simple(lambda h, b, o: [moved(r(h), "/live", 307, day=5), record("https://" + h + "/live", body=b, day=6), record("https://" + h + "/live", body=BODY[o], day=20)])
    simple(lambda h, b, o: [moved(r(h), "/a"), moved("https://" + h + "/a", "/b?x=1", 308), record("https://" + h + "/b?x=1", body=b)])
    simple(lambda h, b, o: [moved(r(h), "/404.html"), record("https://" + h + "/404.html", 404, PAGE)], "404")
    simple(lambda h, b, o: [moved(r(h), "/"), record("https://" + h + "/", body=PAGE)], "html")
    simple(lambda h, b, o: [moved(r(h), "/gone")], "redirect")
    simple(lambda h, b, o: [moved(r(h), "/a"), moved("https://" + h + "/a", "/robots.txt")], "404")
    simple(lambda h, b, o: [record(r(h), 301, b)], "404")
    simple(lambda h, b, o: [moved(r(h), "mailto:x@shop.example", 302)], "404")
    for status in (404, 403, 410, 300):
        simple(lambda h, b, o, status=status: [record(r(h), status, PAGE)], "404")
    for status in (503, 500, 429, 103, 206, 999):
        simple(lambda h, b, o, status=status: [record(r(h), status, b)], "503")
    simple(lambda h, b, o: [record(r(h), 503), record("http://" + h + "/robots.txt", body=b)])
    simple(lambda h, b, o: [record(r(h), 206, b, "Content-Range: bytes 0-%d/%d\r\n" % (len(b) - 1, len(b)))])
    simple(lambda h, b, o: [record(r(h), 206, b, "Content-Range: bytes 0-%d/%d\r\n" % (len(b) - 1, len(b) + 9))], "503")
    simple(lambda h, b, o: [record(r(h), body=b, before="HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")])
    simple(lambda h, b, o: [record(r(h), 404, PAGE, before="HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLocation: /no\r\n\r\n")], "404")
    simple(lambda h, b, o: [record(r(h), 204, BODY["S"])], "empty")
    simple(lambda h, b, o: [record(r(h))], "empty")
    simple(lambda h, b, o: [record(r(h), body=PAGE)], "html")
    simple(lambda h, b, o: [record(r(h), body=b"\x00\x01\x02\xff" * 20)], "binary")
    simple(lambda h, b, o: [record(r(h), body=gzip.compress(b), head="Content-Encoding: gzip\r\n")])
    simple(lambda h, b, o: [record(r(h), body=flate(b), head="Content-Encoding: deflate\r\n")])
    simple(lambda h, b, o: [record(r(h), body=zlib.compress(b), head="Content-Encoding: deflate\r\n")])
    simple(lambda h, b, o: [record(r(h), body=b"%x\r\n%s\r\n0\r\n\r\n" % (len(b), b), head="Transfer-Encoding: chunked\r\n")])
    simple(lambda h, b, o: [record(r(h), body=b, head="Content-Encoding: sdch\r\n")], "undecodable")
    simple(lambda h, b, o: [record(r(h), body=b[:9], truncated=True)], "truncated")
    simple(lambda h, b, o: [record(r(h), body=b, day=9), record(r(h), body=BODY[o], day=8)])
    kind(lambda h, b, c, o: ([record(r(h), body=b), record("https://" + h + ":8443/robots.txt", body=BODY[o])], {h: c, h + ":8443": o}))
    # Revisits.
    again = lambda h, **more: record(r(h), day=20, revisit=True, **more)
    simple(lambda h, b, o: [record(r(h), body=b, digest=sha1(b)), again(h, digest=sha1(b))])
    simple(lambda h, b, o: [record(r(h), body=b, digest=sha1(b), day=8), record(r(h), body=BODY[o], digest=sha1(BODY[o])), again(h, digest=sha1(b))])
    simple(lambda h, b, o: [record(r(h), body=b, digest=sha256(b), day=8), record(r(h), body=BODY[o]), again(h, digest=sha256(b).replace("sha", "SHA"))])
    kind(lambda h, b, c, o: ([record(r("cdn." + h), body=b, digest=sha1(b)), again(h, digest=sha1(b))], {h: c, "cdn." + h: c}))
    simple(lambda h, b, o: [record(r(h), body=b, digest=sha1(b)), again(h, digest=sha1(h.encode()))], "revisit")
    simple(lambda h, b, o: [record(r(h), body=b, day=8), record(r(h), body=BODY[o]), again(h, refers=(r(h), 8))])
    simple(lambda h, b, o: [record(r(h), body=b, day=8), again(h)], "revisit")
    simple(lambda h, b, o: [record(r(h), body=b, day=8), again(h, digest=sha1(b""))], "revisit")
    simple(lambda h, b, o: [record(r(h), body=BODY[o], day=8), record(r(h), body=b), again(h, status=304)])
    simple(lambda h, b, o: [record(r(h), body=b, day=8), record(r(h), 503), record(r(h), 304, day=20)])
    simple(lambda h, b, o: [record(r(h), body=b, digest=sha1(b)), again(h, status=404, digest=sha1(b))], "404")
    simple(lambda h, b, o: [moved(r(h), "/live", day=20), record("https://" + h + "/live", body=b, digest=sha1(b), day=8), record("https://" + h + "/live", day=20, revisit=True, digest=sha1(b))])
    return all


def classed(truth):
    """Returns the class of a site and how it treats GPTBot, None if that is not known."""
    if truth in BODY:
        return "text", WORDS[truth]
    if truth in WORDS:
        return WORDS[truth], WORDS[truth]
    return truth, "open" if truth == "empty" else None


def named(names, crawl, truth):
    """Counts the names in the file of a site."""
    if truth not in BODY and truth != "empty":
        return
    names["%d files" % crawl] += 1
    if truth in BODY:
        name, extent = {"N": ("gptbot", "closed"), "P": ("gptbot", "partly"), "S": ("*", "closed"), "O": ("*", "open")}[truth]
        names["%d %s sites" % (crawl, name)] += 1
        names["%d %s %s" % (crawl, name, extent)] += 1


def main(folder, hosts, seed):
    rnd = random.Random(seed)
    every = kinds()
    counts, changes, worlds, rows, names = collections.Counter(), [], [], [], collections.Counter()
    state = [[i % len(every), rnd.choice("NSPO")] for i in range(hosts)]
    for crawl in range(2):
        records, sites = [], {}
        for i, (kind, code) in enumerate(state):
            if rnd.random() < 0.05:
                continue  # missing in this crawl
            made, truth = every[kind]("h%d.example" % i, BODY[code], code, rnd.choice([x for x in "NSPO" if x != code]))
            records += made
            sites.update({site: classed(t) for site, t in truth.items()})
            for site, t in truth.items():
                named(names, crawl, t)
        rnd.shuffle(records)
        with open("%s/%d.warc.gz" % (folder, crawl), "wb") as archive:
            archive.writelines(records)
        worlds.append(sites)
        for site, (kind, treatment) in sites.items():
            kind_of_row = {"open by status": "absent", "closed by status": "fault"}.get(kind, kind)
            rows.append("%d,%s,%s,%s" % (crawl, site, kind_of_row, treatment or ""))
        for kind, treatment in sites.values():
            counts["%d class %s" % (crawl, kind)] += 1
            if treatment:
                counts["%d %s" % (crawl, treatment)] += 1
        for site in state:
            if rnd.random() < 0.3:
                site[1] = rnd.choice("NSPO")
            if rnd.random() < 0.1:
                site[0] = rnd.randrange(len(every))
    for site, (_, now) in worlds[1].items():
        was = worlds[0].get(site, (None, None))[1]
        if was and now and was != now:
            changes.append("%s,%s,%s" % (site, was, now))
            by = "status" if "closed by status" in (was, now) else "file"
            counts["less open by " + by] += LEVEL[now] > LEVEL[was]
            counts["more open by " + by] += LEVEL[now] < LEVEL[was]
    json.dump({"counts": counts, "changes": sorted(changes), "sites": sorted(rows), "names": names, "kinds": len(every)}, sys.stdout)


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
