"""A robots.txt, the rules of a crawler in it, and their verdicts about URLs."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Any, Callable, Dict, Iterable, Iterator, List, Literal, NamedTuple, Optional, Tuple, cast

from .body import DELAY, HOST, NAMES, RATE, SITEMAP, Form, Group, Path, RuleLine, kind_of_body, read_body
from .dialect import DIALECTS, Text, fold, octets_of, quoted, require, require_choice, text_of
from .path import path_of, path_of_url
from .reading import invalid, reading_of

Dialect = Literal["google", "rfc9309", "koster1996"]
MatchedBy = Literal["name", "fallback", "star", "none"]
BodyKind = Literal["text", "html", "empty", "binary"]
Reason = Literal["rule", "empty-rule", "no-match", "no-group", "robots-file"]

DEFAULT_LIMIT = 512_000
"""How many bytes of a file are read by default: 500 KiB, Google's documented limit."""


class Verdict(NamedTuple):
    """A verdict about one URL. It is true if the crawler may fetch the URL."""

    allowed: bool
    line: int
    """The deciding line of the robots.txt, from 1; 0 if no line decides."""

    def __bool__(self) -> bool:
        return self.allowed


class Rule(NamedTuple):
    """A rule that matches a URL."""

    allow: bool
    pattern: str
    """In canonical form."""
    length: int
    """In bytes; the longest rule decides."""
    line: int
    folder: bool
    """The rule allows an index page, and this is the folder of it."""


class Row(NamedTuple):
    """A line of a robots.txt that has an effect."""

    line: int
    kind: str
    """user-agent, allow, disallow, crawl-delay, request-rate, sitemap or host."""
    agents: Tuple[str, ...]
    """The tokens that it is for; none for sitemap and host."""
    value: str
    """As it is in the file; the token of an agent line."""


class Decision(NamedTuple):
    """A verdict with its reasons. The fields are those of the tool's JSON, in its order."""

    allowed: bool
    line: int
    reason: Reason
    note: str
    dialect: str
    agent: str
    """The token that selected the groups, "*" if none did, "" if no group applies."""
    agent_lines: Tuple[int, ...]
    group_line: int
    """The first agent line of the deciding rule's group; 0 if no rule decides."""
    rule: Optional[Rule]
    tie: Optional[Rule]
    """A matching Disallow as long as the deciding Allow."""
    others: Tuple[Rule, ...]
    """The other rules that match, in the order of the file."""
    path: str
    """The path that was compared."""

    def __bool__(self) -> bool:
        return self.allowed

    def as_dict(self) -> Dict[str, Any]:
        """Returns the decision as an object for json.dumps."""
        fields = self._asdict()
        fields["agent_lines"] = list(self.agent_lines)
        fields["rule"] = self.rule and self.rule._asdict()
        fields["tie"] = self.tie and self.tie._asdict()
        fields["others"] = [rule._asdict() for rule in self.others]
        return fields


def parse(body: Text, dialect: Optional[Dialect] = None, limit: Optional[int] = DEFAULT_LIMIT) -> Robots:
    """Parses a robots.txt once, for many questions.

    There is no file that cannot be parsed: as Google's parser does, it ignores lines that it
    cannot read. A str is read as UTF-8. The dialect is "google", "rfc9309" or "koster1996"; by
    default each crawler reads the file as it does. Of a file with more bytes than the limit
    only the whole lines before it count; None reads all. ValueError: a str that is only an address
    or a path of a robots.txt, or another argument that is not possible.
    """
    if dialect is not None:
        require_choice("dialect", dialect, DIALECTS, ", or None for each crawler's own")
    if limit is not None:
        require("limit", limit, (int,), "int, or None to read all")
    if limit is not None and limit < 1:
        raise ValueError(f"limit is {limit}: use a positive number of bytes, or None to read all")
    if isinstance(body, str) and len(body) < 2048 and _is_place(body):
        raise ValueError(f"body is {quoted(body)}, the place of a file: give its text, or bytes")
    if limit is None:
        return Robots(octets_of(body, "body"), dialect, False)
    if isinstance(body, memoryview):
        body = body.cast("B") if body.c_contiguous else body.tobytes()
    elif not isinstance(body, (str, bytes, bytearray)):
        octets_of(body, "body")  # raises the error
    octets = octets_of(body[: limit + 1], "body")
    if len(octets) <= limit:
        return Robots(octets, dialect, False)
    # A line that the limit cuts is dropped: "Disallow: /private" must not become "Disallow: /".
    end = limit if octets[limit] in "\r\n" else max(octets.rfind("\n", 0, limit), octets.rfind("\r", 0, limit)) + 1
    return Robots(octets[:end], dialect, True)


_is_place = re.compile(r"\s*(?:(?:https?|ftp|file|[A-Za-z]):)?[^\s:#]*robots\.txt\s*", re.ASCII).fullmatch


class Robots:
    """A parsed robots.txt. The function parse makes it. It does not change."""

    __slots__ = ("_dialect", "_forms", "_octets", "_truncated")

    def __init__(self, octets: str, dialect: Optional[str], truncated: bool) -> None:
        self._octets = octets
        self._dialect = dialect
        self._truncated = truncated
        self._forms: Dict[str, Form] = {}
        self._form(dialect or "google")

    def _form(self, dialect: str) -> Form:
        """Returns the file in a dialect. Two threads may read it at once, with one result."""
        form = self._forms.get(dialect)
        if form is None:
            form = self._forms[dialect] = read_body(self._octets, DIALECTS[dialect])
        return form

    def rules(self, agent: Text, *, exact: bool = False) -> Rules:
        """Returns the rules for a crawler.

        It is a product token such as GPTBot, or several with colons between them, of which the
        first one that the file names counts: Googlebot-News:Googlebot. A whole User-Agent
        header is read for its token. A token with a comma, colon or semicolon is put in double
        quotes. "*" is any crawler that follows the group for *. A single token has the fallbacks
        that its operator documents, unless exact is true. ValueError: it names no crawler, or
        no agent line can name it.
        """
        return Rules(self, octets_of(agent, "agent"), exact)

    @property
    def dialect(self) -> Optional[str]:
        """The dialect that parse was called with."""
        return self._dialect

    @property
    def sitemaps(self) -> Tuple[str, ...]:
        """The values of the Sitemap lines, in the order of the file."""
        return self._values(SITEMAP)

    @property
    def hosts(self) -> Tuple[str, ...]:
        """The values of the Host lines, in the order of the file."""
        return self._values(HOST)

    def _values(self, kind: int) -> Tuple[str, ...]:
        return tuple(text_of(value) for of, value, _ in self._form(self._dialect or "google").others if of == kind)

    @property
    def agents(self) -> Tuple[str, ...]:
        """The tokens that agent lines name, each once, as it is written first."""
        named: Dict[str, str] = {}
        for group in sorted(self._form(self._dialect or "google").all_groups(), key=lambda group: group.agents[0][1]):
            for name, _ in group.agents:
                if name is not None:
                    named.setdefault(fold(name), name)
        return tuple(map(text_of, named.values()))

    def rows(self) -> List[Row]:
        """Returns the lines that have an effect, in the order of the file."""
        form = self._form(self._dialect or "google")
        rows = [Row(line, NAMES[kind].lower(), (), text_of(value)) for kind, value, line in form.others]
        for group in form.all_groups():
            names = tuple("" if name is None else text_of(name) for name, _ in group.agents)
            rows += (Row(line, "user-agent", (name,), name) for name, (_, line) in zip(names, group.agents) if name)
            listed = {(0, len(names)): tuple(filter(None, names))}  # one tuple for all lines: there can be thousands of both
            rows += (Row(line, "allow" if allow else "disallow", listed[0, len(names)], text_of(value)) for allow, value, line in group.values)
            for kind, value, line, first, end in group.others:
                if (first, end) not in listed:
                    listed[first, end] = tuple(filter(None, names[first:end]))
                rows.append(Row(line, NAMES[kind].lower(), listed[first, end], text_of(value)))
        return sorted(rows)

    @property
    def truncated(self) -> bool:
        """Whether the file has more bytes than the limit."""
        return self._truncated

    @property
    def body(self) -> BodyKind:
        """What the file is: text, html, empty or binary. It affects no verdict."""
        return cast(BodyKind, kind_of_body(self._octets))

    def as_read(self) -> List[str]:
        """Returns the groups as they are read, in octets, those for "*" last."""
        form = self._form(self._dialect or "google")
        traits = DIALECTS[self._dialect or "google"]
        star = {id(group) for group in form.groups.get("*", [])}
        ordered = sorted(form.all_groups(), key=lambda group: (id(group) in star, group.agents[0][1]))
        return ["\n".join(group.lines(traits)) for group in ordered]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Robots):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> Tuple[str, Optional[str], bool]:
        return self._octets, self._dialect, self._truncated

    def __reduce__(self) -> Tuple[Callable[..., Robots], Tuple[bytes, Optional[str], bool]]:
        return _restored, (self._octets.encode("latin-1"), self._dialect, self._truncated)

    def __repr__(self) -> str:
        return f"<Robots of {len(self._octets)} bytes, dialect={self._dialect!r}>"


def _restored(body: bytes, dialect: Optional[str], truncated: bool) -> Robots:
    return Robots(body.decode("latin-1"), dialect, truncated)


def rules_of(robots: Robots, agent: Text) -> Rules:
    """Returns the rules for a crawler, those for "*" if the text names none that a line can name."""
    try:
        return robots.rules(agent)
    except ValueError:
        return robots.rules("*")


_seconds = re.compile(r"(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?").fullmatch
_LONGEST_DELAY = 9_223_372_036.854775807  # of Go's Duration, which counts nanoseconds


class Rules:
    """The rules of a robots.txt for one crawler. Robots.rules makes them. They do not change."""

    __slots__ = ("_agent", "_exact", "_groups", "_label", "_matched_by", "_robots", "_token", "_traits")

    def __init__(self, robots: Robots, agent: str, exact: bool) -> None:
        reading = reading_of(agent, exact)
        if reading.dialect is None and robots._dialect is None:
            raise invalid(agent, "no user-agent line can name it, so its rules are unknown")
        self._robots, self._agent, self._exact = robots, agent, exact
        self._traits = traits = DIALECTS[robots._dialect or reading.dialect or ""]
        groups = robots._form(traits.name).groups
        self._token = self._label = ""  # that selected the groups, and in lower case
        self._groups: List[Group] = []
        self._matched_by: MatchedBy = "none"
        for at, token in enumerate((*reading.tokens, "*")):
            label = fold(token)
            if label in groups and not (label == "*" and reading.is_named_only):
                self._token, self._label = token, label
                # In koster1996 only the first record with the token applies.
                self._groups = groups[label][:1] if traits.records else groups[label]
                self._matched_by = "star" if label == "*" else "fallback" if at else "name"
                break

    def allowed(self, url: Text, *, as_sent: bool = False) -> bool:
        """Reports whether the crawler may fetch a URL.

        It is absolute, or a path with its query, and is read as browsers do. Bytes, and with
        as_sent a str, are compared as they are.
        """
        return self._verdict(self._path(url, as_sent)).allowed

    def verdict(self, url: Text, *, as_sent: bool = False) -> Verdict:
        """Returns the verdict about a URL with the deciding line."""
        return self._verdict(self._path(url, as_sent))

    def _verdict(self, text: str) -> Verdict:
        """Returns the verdict about a path in canonical form."""
        traits = self._traits
        if traits.open_robots and text == "/robots.txt":
            return Verdict(True, 0)
        path = Path(text, traits.query_slash)
        best: Optional[RuleLine] = None
        for group in self._groups:
            for rule in group.candidates(text, traits):
                # The longest rule decides, of equally long ones an Allow, then the earlier line,
                # and in koster1996 the first that matches.
                if best is None or (rule.weight > best.weight and not traits.records):
                    match = rule.match(path)
                    if match is not None and (best is None or match.weight > best.weight):
                        best = match
        if best is None:
            return Verdict(True, 0)
        return Verdict(best.allow or not best.pattern, best.line)

    def explain(self, url: Text, *, as_sent: bool = False) -> Decision:
        """Returns the verdict about a URL with its reasons.

        These are the deciding rule, its group, and the other rules that match, which lose
        because they are shorter, tie with an Allow, or are later.
        """
        text, traits = self._path(url, as_sent), self._traits
        allowed, line = self._verdict(text)
        path = Path(text, traits.query_slash)
        rule: Optional[Rule] = None
        others: List[Rule] = []
        group_line = 0
        agent_lines: List[int] = []
        for group in self._groups:
            agent_lines += (group.agents[i][1] for i in self._named(group))
            for pattern in group.candidates(text, traits):
                match = pattern.match(path)
                if match is None:
                    continue
                found = Rule(match.allow, text_of(match.pattern), len(match.pattern), match.line, match is not pattern)
                if rule is None and found.line == line:
                    rule, group_line = found, group.agents[0][1]
                else:
                    others.append(found)
        if traits.open_robots and text == "/robots.txt":
            reason: Reason = "robots-file"
        elif not agent_lines:
            reason = "no-group"
        else:
            reason = "no-match" if rule is None else "rule" if rule.length else "empty-rule"
        tie = None
        if rule is not None and rule.allow and rule.length and not traits.records:
            tie = next((other for other in others if not other.allow and other.length == rule.length), None)
        agent = text_of(self._token)
        return Decision(allowed, line, reason, "", traits.name, agent, tuple(agent_lines), group_line, rule, tie, tuple(others), text_of(text))

    @property
    def dialect(self) -> str:
        """How the crawler reads the file."""
        return self._traits.name

    @property
    def matched_by(self) -> MatchedBy:
        """How the groups that apply were selected.

        It is name by the crawler's own token, the first one; fallback by a later one, because no
        line has an earlier; star by "*"; none if no group applies.
        """
        return self._matched_by

    @property
    def crawl_delay(self) -> Optional[float]:
        """The Crawl-delay in seconds; None if the file has none for the crawler."""
        delays = [_delay(match[1], match[2] or "") for match in map(_seconds, self._listed(DELAY)) if match]
        return max(delays, default=None)

    @property
    def request_rates(self) -> Tuple[str, ...]:
        """The values of the Request-rate lines for the crawler."""
        return tuple(map(text_of, self._listed(RATE)))

    def _listed(self, kind: int) -> Iterator[str]:
        """Yields the values of the lines of a kind that belong to lists of agents with the token."""
        for group in self._groups:
            named = self._named(group) if group.others else []
            for of, value, _, first, end in group.others:
                at = bisect_left(named, first)
                if of == kind and at < len(named) and named[at] < end:
                    yield value

    def _named(self, group: Group) -> List[int]:
        """Returns the indices of the agents of a group that have the token."""
        return [i for i, (token, _) in enumerate(group.agents) if token is not None and fold(token) == self._label]

    def _path(self, url: Text, as_sent: bool) -> str:
        if isinstance(url, str) and not as_sent:
            return path_of_url(url if url.isascii() else octets_of(url, "url"), self._traits)
        return path_of(octets_of(url, "url"), self._traits)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rules):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> Tuple[Robots, str, bool]:
        return self._robots, self._agent, self._exact

    def __reduce__(self) -> Tuple[Callable[..., Rules], Tuple[Robots, str, bool]]:
        return Rules, self._key()

    def __repr__(self) -> str:
        return f"<Rules for {text_of(self._agent)!r}, matched by {self.matched_by}, dialect={self.dialect!r}>"


def _delay(whole: str, fraction: str) -> float:
    if len(whole.lstrip("0")) > 10:
        return _LONGEST_DELAY
    return min(int(whole or "0") + int(fraction[:9].ljust(9, "0")) / 1e9, _LONGEST_DELAY)


def allowed_many(rules: Rules, urls: Iterable[Text]) -> List[bool]:
    """Reports for each of many URLs whether the crawler may fetch it."""
    if not isinstance(rules, Rules):
        raise TypeError(f"rules is {type(rules).__name__}: use Rules, which Robots.rules returns")
    if isinstance(urls, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"urls is {type(urls).__name__}: use a list of URLs")
    allowed = []
    for row, url in enumerate(urls):
        if not isinstance(url, (str, bytes, bytearray, memoryview)):
            raise TypeError(f"urls[{row}] is {type(url).__name__}: use str or bytes")
        allowed.append(rules.allowed(url))
    return allowed
