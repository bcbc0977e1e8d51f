"""Answers queries with urllib.robotparser, one agent each.

The protocol is that of package driver.
"""

import base64
import json
import platform
import sys
import urllib.robotparser


def text(encoded):
    return base64.b64decode(encoded).decode("utf-8")


def answer(query):
    parser = urllib.robotparser.RobotFileParser()
    try:
        # As RobotFileParser.read does with what it has fetched.
        parser.parse(text(query["body"]).splitlines())
        return {"allowed": parser.can_fetch(text(query["agents"][0]), text(query["url"]))}
    except Exception as error:  # any exception means that there is no verdict
        return {"error": repr(error)}


print(json.dumps({"version": "CPython " + platform.python_version()}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
