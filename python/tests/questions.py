"""Questions about the files of the conformance kit, and real ones if ROBOTSTXT_CORPUS is a folder of them."""

import itertools
import os
import re
from pathlib import Path

from vectors import checks

MOST = int(os.environ.get("ROBOTSTXT_DROPINS") or 20_000)
SITE = "https://shop.example"
AGENTS = (
    "*",
    "GPTBot",
    "Googlebot-Image",
    "Lynx/2.8.9",
    "bot/1.0 (+https://me.example)",
    "Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0",
    "Foo:Bar",
    "a, b",
    "",
    "Sogou web spider",
)
ODD = ("/", "", "/robots.txt", "/a/../b", "/%7Ejoe?", "/a b?", "/caf\u00e9", "//x", "/x?y?", "/\\a")
_line = re.compile(rb"(?im)^[ \t]*(user-agent|allow|disallow)[ \t]*:[ \t]*([^#\r\n]*)")


class RulesOf(dict):
    """The core's rules for each agent: those for every crawler without a group if no line can name the agent."""

    def __init__(self, core):
        super().__init__()
        self._core = core

    def __missing__(self, agent):
        try:
            rules = self._core.rules(agent)
        except ValueError:  # no line can name it
            rules = self._core.rules("*")
        self[agent] = rules
        return rules


def bodies():
    """Returns the files, each once."""
    corpus = os.environ.get("ROBOTSTXT_CORPUS")
    real = [path.read_bytes() for path in sorted(Path(corpus).glob("*.txt"))] if corpus else []
    return real + list({check.body: None for check in checks()})


def _some(items, most, turn):
    step = -(-len(items) // most) or 1
    return items[turn % step :: step]


def of(body, turn):
    """Yields crawlers and URLs: those that the file names and its rules match, and others that a browser changes."""
    lines = [(match[1].lower(), match[2].strip().decode("utf-8", "replace")) for match in _line.finditer(body)]
    named = _some([value for key, value in lines if key == b"user-agent"], 3, turn)
    agents = named + [f"{name}/1.0" if turn % 2 else f"Mozilla/5.0 (compatible; {name}/2.1; +https://x.example)" for name in named[:2]]
    paths = list(ODD[turn % 5 : turn % 5 + 3])
    for pattern in _some([value for key, value in lines if key != b"user-agent"], 8, turn):
        path = (pattern if pattern[:1] in ("/", "*") else f"/{pattern}").rstrip("$").replace("*", "x")
        path = path if path[:1] == "/" else f"/{path}"
        paths += [path, f"{path}?", f"{path}/../", f"{path}x?a=/b#c", path.lower()]
    return itertools.product([*agents, AGENTS[turn % len(AGENTS)]], [SITE + path for path in paths])


def asked():
    """Yields each file with some of its questions, until there are enough."""
    files = bodies()
    count = 0
    for turn in range(len(files)):
        if count >= MOST:
            return
        body = files[turn * 7919 % len(files)]  # in no order of names
        questions = list(of(body, turn))
        count += len(questions)
        yield body, questions
