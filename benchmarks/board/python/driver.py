"""Answers queries with urllib.robotparser, one agent each.

The argument, if any, is the path of another version of robotparser.py. The
protocol is that of package driver.
"""

import base64
import importlib.util
import json
import platform
import sys
import urllib.parse
import urllib.robotparser

module, version = urllib.robotparser, "CPython " + platform.python_version()
if len(sys.argv) > 1:
    spec = importlib.util.spec_from_file_location("robotparser", sys.argv[1])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    version = "CPython of May 2026"


def split(url, scheme):
    """What urllib.parse has from 3.15 on: a part that is missing is None."""
    rest, number_sign, fragment = url.partition("#")
    _, mark, query = rest.partition("?")
    parts = urllib.parse.urlsplit(url, scheme)
    return parts.scheme, parts.netloc, parts.path, query if mark else None, fragment if number_sign else None


def unsplit(scheme, netloc, path, query, fragment):
    return path + ("" if query is None else "?" + query) + ("" if fragment is None else "#" + fragment)


if not hasattr(urllib.parse, "_urlsplit"):
    urllib.parse._urlsplit, urllib.parse._urlunsplit = split, unsplit


def text(encoded):
    return base64.b64decode(encoded).decode("utf-8")


def answer(query):
    parser = module.RobotFileParser()
    try:
        # As RobotFileParser.read does with what it has fetched.
        parser.parse(text(query["body"]).splitlines())
        return {"allowed": parser.can_fetch(text(query["agents"][0]), text(query["url"]))}
    except Exception as error:  # any exception means that there is no verdict
        return {"error": repr(error)}


print(json.dumps({"version": version}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
