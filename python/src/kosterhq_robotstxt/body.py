"""A body as a dialect reads it, and its rules.

scan.go, plain.go, agent.go, parse.go and internal/pattern do the same.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import compress
from typing import Dict, Iterable, Iterator, List, Optional, Tuple, Union

from .dialect import DIALECTS, SPACE, Traits, fold

MAX_LINE = 2083 * 8 - 1
"""How many bytes of a line count, as in Google's parser."""

# The kinds of lines.
EMPTY, AGENT, ALLOW, DISALLOW, SITEMAP, DELAY, RATE, VISIT, HOST = range(9)
NAMES = ("", "User-agent", "Allow", "Disallow", "Sitemap", "Crawl-delay", "Request-rate", "Visit-time", "Host")

# The keys that count, by their first letter. A key that begins with one of the first four is
# the same; those from Crawl-delay on must be whole.
_KEYS = {
    key[0]: (kind, re.compile(key, re.IGNORECASE | re.ASCII))
    for kind, key in (
        (AGENT, "user[- ]?agent"),
        (ALLOW, "allow"),
        (DISALLOW, "dis(?:s?all?ow|allaw)|diasllow"),
        (SITEMAP, "site-?map"),
        (DELAY, "crawl-delay"),
        (RATE, "request-rate"),
        (VISIT, "visit-time"),
        (HOST, "host"),
    )
}

# The spellings of most lines, which need no expression.
_USUAL = {
    spelling: kind
    for kind, key in ((AGENT, "User-agent"), (ALLOW, "Allow"), (DISALLOW, "Disallow"), (SITEMAP, "Sitemap"), (DELAY, "Crawl-delay"))
    for spelling in (key, key.lower(), key.upper(), key.title())
}

_mark = re.compile("(?:\xef(?:\xbb\xbf?)?)?")
_cut = re.compile("[\0#]")
_first_of_two = re.compile("[^ \t]+(?=[ \t]+[^ \t]+$)")


_FEW_RULES = 24  # so many are compared with a path one by one


class Group:
    """A run of user-agent lines and what follows it; in koster1996, a record."""

    __slots__ = ("_beginnings", "_lengths", "_rules", "agents", "others", "values")

    def __init__(self) -> None:
        self.agents: List[Tuple[Optional[str], int]] = []
        """The tokens, None for one that matches no crawler, and their lines."""
        self.values: List[Tuple[bool, str, int]] = []
        """The rules as they are in the file: Allow, value, line."""
        self.others: List[Tuple[int, str, int, int, int]] = []
        """The Crawl-delay and Request-rate lines: kind, value, line, and the range of agents that it belongs to."""
        self._beginnings: Union[List[str], Dict[str, List[int]], None] = None
        self._lengths: List[int] = []
        self._rules: Dict[int, RuleLine] = {}

    def end(self) -> None:
        """Ends the group. A file can have thousands, so they are tuples from now on, which are smaller."""
        self.agents, self.values, self.others = tuple(self.agents), tuple(self.values), tuple(self.others)  # type: ignore[assignment]
        self._lengths = self._rules = ()  # type: ignore[assignment]

    def candidates(self, path: str, traits: Traits) -> List[RuleLine]:
        """Returns the rules that can match a path, in the order of the file.

        A rule is made when the first path that begins as it does is asked about, which most rules never have. In a
        large group the beginnings of the path are looked up, so that a verdict is not slower the more rules there are.
        """
        if self._beginnings is None:
            beginnings = self._begin(traits)
            self._rules = self._rules or {}
            self._beginnings = beginnings  # last: another thread that sees it needs the others
        if isinstance(self._beginnings, dict):
            lengths = self._lengths[: bisect_right(self._lengths, len(path))]
            places = sorted(place for n in lengths for place in self._beginnings.get(path[:n], ()))
            values: Iterable[Tuple[bool, str, int]] = map(self.values.__getitem__, places)
        else:
            values = compress(self.values, map(path.startswith, self._beginnings))
        rules = []
        for allow, value, line in values:
            rule = self._rules.get(line)
            if rule is None:
                rule = self._rules[line] = RuleLine(allow, value, line, traits)
            rules.append(rule)
        return rules

    def _begin(self, traits: Traits) -> Union[List[str], Dict[str, List[int]]]:
        """Returns how the rules begin, of many by what they begin with."""
        # The rule of an index page may match its folder too.
        beginnings = [traits.literal(value)[0].partition("/index.htm")[0] for _, value, _ in self.values]  # type: ignore[index]
        if len(beginnings) <= _FEW_RULES:
            return beginnings
        places: Dict[str, List[int]] = {}
        for place, beginning in enumerate(beginnings):
            places.setdefault(beginning, []).append(place)
        self._lengths = sorted(set(map(len, beginnings)))
        return places

    def lines(self, traits: Traits) -> Iterator[str]:
        """Yields the group as lines that are read in the same way."""
        for token, _ in self.agents:
            yield f"User-agent: {token}"
        for kind in (DELAY, RATE):
            for other in self.others:
                if other[0] == kind:
                    yield f"{NAMES[kind]}: {other[1]}"
        for allow, value, line in self.values:
            yield f"{NAMES[ALLOW if allow else DISALLOW]}: {RuleLine(allow, value, line, traits).pattern}"


class Form:
    """A body in a dialect."""

    __slots__ = ("groups", "is_ruled", "others")

    def __init__(self) -> None:
        self.groups: Dict[str, List[Group]] = {}
        """The groups by their tokens, in lower case."""
        self.others: List[Tuple[int, str, int]] = []
        """The Sitemap and Host lines: kind, value, line."""
        self.is_ruled = False
        """Whether a group has a rule, with a path or without."""

    def all_groups(self) -> List[Group]:
        """Returns each group that names a crawler, once."""
        return list({id(group): group for groups in self.groups.values() for group in groups}.values())


def read_body(body: str, traits: Traits) -> Form:
    """Reads a body in a dialect. There is none that cannot be read."""
    form = Form()
    groups, wildcards = form.groups, traits.wildcards
    group: Optional[Group] = None
    is_ruled = False  # the group has a rule since its last agent line
    first = 0  # the first agent of the list that a Crawl-delay belongs to
    is_list_ended = False  # the next agent begins a list
    lines = body[_mark.match(body).end() :].replace("\r\n", "\n").replace("\r", "\n").split("\n")  # type: ignore[union-attr]
    if lines[-1] == "":
        lines.pop()
    for number, line in enumerate(lines, 1):
        if not line:
            if traits.records:
                group = None
            continue
        key, colon, value = line.partition(":")
        kind = _USUAL.get(key)
        if kind is None or not colon or len(line) > MAX_LINE:
            read = read_line(line)
            if read is None:
                continue
            kind, value = read
        else:
            if "#" in value or "\0" in value:
                value = value[: _cut.search(value).start()]  # type: ignore[union-attr]
            value = value.strip(SPACE)
        if kind == ALLOW or kind == DISALLOW:
            if group is not None:
                form.is_ruled = is_ruled = True
                if value or wildcards:
                    group.values.append((kind == ALLOW, value, number))
        elif kind == AGENT:
            if group is None or is_ruled:
                group = Group()
                is_ruled = is_list_ended = False
                first = 0
            if is_list_ended:
                first = len(group.agents)
                is_list_ended = False
            token = _token(value, traits)
            group.agents.append((token, number))
            if token is not None:
                named = groups.setdefault(fold(token), [])
                if not named or named[-1] is not group:
                    named.append(group)
        elif kind == SITEMAP or kind == HOST:
            form.others.append((kind, value, number))
        elif group is not None:
            if kind == EMPTY:
                if traits.records:
                    group = None
            else:
                if kind != VISIT:
                    group.others.append((kind, value, number, first, len(group.agents)))
                is_list_ended = True
    for group in form.all_groups():
        group.end()
    return form


def read_line(line: str) -> Optional[Tuple[int, str]]:
    """Reads a line: its kind and value, None if it does not count."""
    line = line[:MAX_LINE]
    cut = _cut.search(line)
    text = (line[: cut.start()] if cut else line).rstrip(SPACE)
    if not text:
        return None if cut and cut[0] == "#" else (EMPTY, "")
    text = text.lstrip(SPACE)
    known = _KEYS.get(text[0].lower())
    if known is None:
        return None
    kind, expression = known
    key = expression.match(text)
    if key is None:
        return None
    colon = text.find(":")
    if colon < 0:
        # Of two words without a colon the first one is the key.
        word = _first_of_two.match(text)
        colon = word.end() if word else -1
    if colon < key.end() or (kind >= DELAY and text[key.end() : colon].strip(SPACE)):
        return None
    return kind, text[colon + 1 :].strip(SPACE)


def _token(value: str, traits: Traits) -> Optional[str]:
    """Returns the product token of an agent line, None if it matches no crawler."""
    if value[:1] == "*" and (len(value) == 1 or value[1] in SPACE):
        return "*"
    token: str = traits.token.match(value)[0]  # type: ignore[index]
    if traits.drop_star and token.endswith("*"):
        token = token[:-1]
    return None if token and not token.strip("*") else token


_marks = re.compile("(?:\xc3\xaf\xc2\xbb\xc2\xbf|\xef\xbf\xbd|\xef\xbb\xbf|\xef\xbb|\xef|[ \t-\r])*")
_markup = re.compile("<[!?a-zA-Z]")
_binary = re.compile("^(?:\xfe\xff|\xff\xfe)|[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]")


def kind_of_body(body: str) -> str:
    """Returns what a body is, as BodyOf of body.go does: text, html, empty or binary.

    One with a rule in a group is text, whatever comes first.
    """
    if not body:
        return "empty"
    start = _marks.match(body).end()  # type: ignore[union-attr]
    head = body[start : start + 1024]  # that many bytes can make it a web page or binary
    suspected = "binary" if _binary.search(head) else "html" if _markup.match(head) else "text"
    return "text" if suspected != "text" and read_body(body, DIALECTS["google"]).is_ruled else suspected


class RuleLine:
    """A rule, or the folder of an index page that a rule allows. internal/pattern does the same."""

    __slots__ = ("_pieces", "allow", "folder", "line", "pattern", "star", "text", "weight")

    def __init__(self, allow: bool, value: str, line: int, traits: Traits) -> None:
        is_anchored = traits.wildcards and value.endswith("$")
        self.allow = allow
        self.line = line
        self.text = text = traits.encode(value[:-1] if is_anchored else value, True)
        """The pattern in canonical form without the '$' that anchors it."""
        self.pattern = text + "$" if is_anchored else text
        self.weight = 2 * len(self.pattern) + allow
        """The heaviest rule decides: the longest, of equally long ones an Allow."""
        self.star = text.find("*") if traits.wildcards else -1
        """Where the first star is, -1 if there is none."""
        self.folder: Optional[RuleLine] = None
        self._pieces: Optional[List[str]] = None
        if allow and traits.index_rule and "/index.htm" in text:
            folder, _, page = text.rpartition("/")
            if page.startswith("index.htm"):
                self.folder = RuleLine(True, folder + "/$", line, traits)

    def match(self, path: Path) -> Optional[RuleLine]:
        """Returns the rule if it matches, or the one for its folder, which may match too."""
        if self._matches(path):
            return self
        return self.folder and self.folder.match(path)

    def _matches(self, path: Path) -> bool:
        if self.star >= 0:
            return self._matches_wild(path)
        return path.text.startswith(self.text) if len(self.pattern) == len(self.text) else path.text == self.text

    def _matches_wild(self, path: Path) -> bool:
        """Matches a pattern with stars: each piece between two stars at its first occurrence
        after the one before. A later one cannot match more, because it leaves less for the next.
        """
        slashed = path.slashed
        pieces, others, query = self._spellings(path)
        start = len(pieces[0])
        if not slashed.startswith(pieces[0]):
            return False
        count, end = len(pieces), len(slashed)
        if len(self.pattern) > len(self.text):
            count -= 1
            last = pieces[count]
            at = end - len(last)
            if at < start or not slashed.endswith(last):
                if others is None:
                    return False
                last = others[count]
                at = end - len(last)
                if at < max(start, query) or not slashed.endswith(last):
                    return False
            end = at
        for i in range(1, count):
            found = slashed.find(pieces[i], start, end)
            if found >= 0:
                start = found + len(pieces[i])
                continue
            if others is None:
                return False
            found = slashed.find(others[i], max(start, query), end)
            if found < 0:
                return False
            start = found + len(others[i])
        return True

    def _spellings(self, path: Path) -> Tuple[List[str], Optional[List[str]], int]:
        """Returns the pieces around the stars. One with a code of a slash has two spellings:
        with the code it is in the path, with a slash in the query, which begins at an index.
        """
        if path.query and "%2F" in self.text:
            mark = self.text.find("?") + 1 or len(self.text)
            return _slashed(self.text, mark).split("*"), _slashed(self.text, self.star).split("*"), path.query
        if self._pieces is None:
            self._pieces = self.text.split("*")
        return self._pieces, None, 0


class Path:
    """A path in canonical form, which rules are matched with.

    Patterns with stars are matched with the slashed form, which has a slash for each %2F after
    the first '?'. The query begins in it at an index, 0 if the forms are equal. See
    internal/pattern/slash.go.
    """

    __slots__ = ("query", "slashed", "text")

    def __init__(self, text: str, query_slash: bool) -> None:
        self.text = self.slashed = text
        self.query = 0
        if query_slash:
            query = text.find("?") + 1
            if query and "%2F" in text[query:]:
                self.query = query
                self.slashed = _slashed(text, query)


def _slashed(text: str, start: int) -> str:
    """Returns a text with a slash for each %2F from an offset on."""
    return text[:start] + text[start:].replace("%2F", "/")
