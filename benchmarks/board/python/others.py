"""Answers queries with a parser from the package index, protego or robotspy, one agent each.

The protocol is that of package driver.
"""

import base64
import importlib.metadata
import json
import sys

name = sys.argv[1]
if name == "protego":
    from protego import Protego

    def allowed(body, agent, url):
        return Protego.parse(body).can_fetch(url, agent)
else:
    from robots import RobotsParser

    def allowed(body, agent, url):
        return RobotsParser.from_string(body).can_fetch(agent, url)


def text(encoded):
    return base64.b64decode(encoded).decode("utf-8")


def answer(query):
    try:
        return {"allowed": bool(allowed(text(query["body"]), text(query["agents"][0]), text(query["url"])))}
    except Exception as error:  # any exception means that there is no verdict
        return {"error": repr(error)}


print(json.dumps({"version": importlib.metadata.version(name)}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
