"""Compares two files in Python's urllib or in Protego, which is the argument.

Each line of the input is {"files": [before, after], "agents": [...], "paths": [...]}, the files in base64. Each line
of the output is the first difference, "" without one.
"""

import base64
import json
import sys
import urllib.robotparser


def urllib_reader(body):
    parser = urllib.robotparser.RobotFileParser()
    parser.parse(body.splitlines())  # as RobotFileParser.read does with what it has fetched
    return lambda agent, url: parser.can_fetch(agent, url)


def protego_reader(body):
    from protego import Protego

    rules = Protego.parse(body)
    return lambda agent, url: rules.can_fetch(url, agent)


def answer(read, agent, url):
    try:
        return read(agent, url)
    except Exception as error:
        return type(error).__name__


def reader(make, body):
    try:
        return make(body)
    except Exception as error:
        name = type(error).__name__
        return lambda agent, url: name


make = {"urllib": urllib_reader, "protego": protego_reader}[sys.argv[1]]
for line in sys.stdin:
    task = json.loads(line)
    before, after = (reader(make, base64.b64decode(file).decode("utf-8", "replace")) for file in task["files"])
    difference = ""
    for agent in task["agents"]:
        for path in task["paths"]:
            url = "https://shop.example" + path
            was, now = answer(before, agent, url), answer(after, agent, url)
            if was != now and not difference:
                difference = f"{agent} {path}: {was}, {now}"
    print(json.dumps(difference))
