"""Puts questions to urllib.robotparser, one agent each.

The protocol is that of package driver.
"""

import base64
import json
import platform
import sys
import urllib.robotparser


def text(encoded):
    return base64.b64decode(encoded).decode("utf-8")


def answer(question):
    parser = urllib.robotparser.RobotFileParser()
    try:
        # As RobotFileParser.read does with what it has fetched.
        parser.parse(text(question["body"]).splitlines())
        return {"allowed": parser.can_fetch(text(question["agents"][0]), text(question["url"]))}
    except Exception as error:  # whatever it is, it is no answer
        return {"error": repr(error)}


print(json.dumps({"version": "CPython " + platform.python_version()}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
