"""Asks sites of TestPythonClient in package fetch, which it reads as JSON, one on each line, with each library that is here.

It prints what each library finds, in the same order, and for how many seconds it was asked.
"""

import asyncio
import json
import os
import socket
import sys
import threading
import time
import urllib.robotparser
from concurrent.futures import ThreadPoolExecutor

from kosterhq_robotstxt.client import AsyncRobotsClient, RobotsClient
from kosterhq_robotstxt.policies import POLICIES
from kosterhq_robotstxt.robotparser import RobotFileParser
from test_client import UA, library

os.environ["no_proxy"] = "*"
LONGEST = 15.0  # for how many seconds the standard library may read


def text_of(site):
    text = f"{site.outcome} {site.source} {site.status}"
    if site.robots:
        text += f" {'open' if site.robots.rules('*').allowed('/private') else 'closed'}"
        text += " truncated" if site.robots.truncated else ""
    text += f" after {len(site.hops)}" if site.hops else ""
    text += f": {'status' if site.fault.kind == 'status' else 'no response'}" if site.fault else ""
    return text, site.fault.text if site.fault else ""


def asked_with(new):
    return lambda question: text_of(RobotsClient(UA, new(), **question["options"]).site(question["url"]))


def asked_in_task(new):
    async def ask(question):
        async with new() as http:
            return text_of(await AsyncRobotsClient(UA, http, **question["options"]).site(question["url"]))

    return lambda question: asyncio.run(ask(question))


def verdict(parser):
    return "open" if parser.can_fetch(UA, "/private") else "closed"


def parsed_under(policy):
    def ask(question):
        parser = RobotFileParser(f"{question['url'].rstrip('/')}/robots.txt", policy=policy)
        parser._terms = parser._terms._replace(timeout=question["options"]["timeout"])  # the drop-in has no such option
        parser.read()
        return verdict(parser), ""

    return ask


def read_plainly(question):
    """Compares the drop-in without a policy with the standard library: a verdict, or an error, or no end."""
    found = []
    for kind in (RobotFileParser, urllib.robotparser.RobotFileParser):
        parser, end = kind(f"{question['url'].rstrip('/')}/robots.txt"), []

        def read(parser=parser, end=end):
            try:
                parser.read()
                end.append(verdict(parser))
            except Exception as error:
                end.append(type(error).__name__)

        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        thread.join(LONGEST)
        found.append(end[0] if end else "no end")
    return (found[0] if found[0] == found[1] else f"{found[0]}, the standard library {found[1]}"), ""


def timed(ask):
    def run(question):
        if ask is read_plainly and question["endless"]:
            return {"result": "", "why": "", "took": 0}  # the standard library would take all memory
        began = time.monotonic()
        result, why = ask(question)
        return {"result": result, "why": why, "took": time.monotonic() - began}

    return run


LIBRARIES = {
    "urllib": asked_with(lambda: None),
    "requests": asked_with(library("requests", "Session")),
    "httpx": asked_with(library("httpx", "Client")),
    "httpx.async": asked_in_task(library("httpx", "AsyncClient")),
    "aiohttp": asked_in_task(library("aiohttp", "ClientSession")),
    **{f"robotparser:{policy}": parsed_under(policy) for policy in POLICIES},
    "robotparser": read_plainly,
}
questions = [json.loads(line) for line in sys.stdin]
socket.setdefaulttimeout(1)  # for reads of the standard library, as it has no timeout
with ThreadPoolExecutor(8) as pool:
    print(json.dumps({name: list(pool.map(timed(ask), questions)) for name, ask in LIBRARIES.items()}))
sys.stdout.flush()
os._exit(0)  # connections that sites hold are of no interest
