package generate

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/bodyhead"
)

type group struct {
	tokens []string
	lines  []string
}

// groups are those to write: at the places of groups that they replace, by the number of these groups'
// first line, and new ones.
type groups struct {
	at    map[int][]group
	new   []group
	gone  map[int]bool // lines of the file before, see writer.removed
	first map[int]int
}

// body returns the file with the groups of the readers that are to be written, and with the
// signals. added reports whether there are such groups.
func (w *writer) body() (after *file, added bool) {
	groups := w.groups()
	after = w.with(&groups)
	// The comment, which changes no line of a group, names the paths and the changes.
	hiding := w.config.hiding(after)
	changes := w.changesOf(after)
	if !slices.Equal(hiding, w.hiding) || !changes.equal(&w.changes) {
		w.hiding, w.changes = hiding, changes
		after = w.with(&groups)
	}
	return after, len(groups.new)+len(groups.at) > 0
}

func (w *writer) with(groups *groups) *file {
	text, at := w.without(groups)
	end := w.before.newline()
	if len(groups.new) > 0 {
		text = insert(text, at, w.block(groups.new, true, end), end)
	}
	after := newFile(text)
	if len(w.config.Signals) > 0 {
		after = w.config.addSignals(after, end)
	}
	return after
}

// groups returns the groups to write. A group that names only crawlers that are written stays where it is.
// New groups of crawlers with the same lines are one; those that are closed come first.
func (w *writer) groups() (all groups) {
	all.at = make(map[int][]group)
	byLine := make(map[int]*reader) // by the lines that name them
	for _, r := range w.readers {
		if r.written {
			for _, line := range w.before.agentLines(robotstxt.RFC9309, r.token) {
				byLine[line] = r
			}
		}
	}
	placed := make(map[*reader]bool)
	all.gone, all.first = w.removed()
	for g := range w.before.in(robotstxt.Google).Groups() {
		from := 0
		for agent := range g.Agents() {
			from = cmp.Or(from, agent.Line)
			if r := byLine[agent.Line]; r != nil && all.first[from] == 0 && !placed[r] {
				placed[r] = true
				all.at[from] = withToken(all.at[from], r.token, w.linesOf(r))
			}
		}
	}
	for _, closed := range []bool{true, false} {
		for _, r := range w.readers {
			if r.written && !placed[r] && r.wish.closes() == closed {
				all.new = withToken(all.new, r.token, w.linesOf(r))
			}
		}
	}
	// Signals need a group for all, and so does a group that closes a part (RX306).
	closesPart := func(g group) bool {
		return g.lines[0] != "Disallow: /" &&
			slices.ContainsFunc(g.lines, func(line string) bool { return strings.HasPrefix(line, "Disallow: ") && line != "Disallow: " })
	}
	closes := slices.ContainsFunc(all.new, closesPart)
	for _, groups := range all.at {
		closes = closes || slices.ContainsFunc(groups, closesPart)
	}
	if w.before.agentLines(robotstxt.Google, "*") == nil && !w.others().written && (len(w.config.Signals) > 0 || closes) {
		all.new = append(all.new, group{[]string{"*"}, []string{"Allow: /"}})
	}
	return all
}

// withToken returns groups with a crawler in the one that has its lines.
func withToken(groups []group, token string, lines []string) []group {
	for i := range groups {
		if slices.Equal(groups[i].lines, lines) {
			groups[i].tokens = append(groups[i].tokens, token)
			return groups
		}
	}
	return append(groups, group{[]string{token}, lines})
}

// linesKey has the lines that applied to a crawler, and its cells.
type linesKey struct {
	applied int
	cells   string
}

// linesOf returns the lines of a reader's group: the lines that applied to it before, with the
// cells in place of the rules about their paths.
func (w *writer) linesOf(r *reader) (lines []string) {
	if r.wish.closes() {
		return []string{"Disallow: /"}
	}
	reading := r.readings[0]
	key := linesKey{w.applied(w.before, w.before.rules(reading)).lines, fmt.Sprint(r.wish.cells)}
	if lines, ok := w.lines[key]; ok {
		return lines
	}
	defer func() { w.lines[key] = lines }()
	cells := cellRules(reading.Dialect, r.wish.cells)
	var others []string
	hasRule := len(cells) > 0
	has := make(map[string]bool)
	for _, line := range w.before.repeatable(reading) {
		within := slices.ContainsFunc(cells, func(c rule) bool { return c.pattern.Contains(line.pattern) })
		switch {
		case !line.isRule:
			others = append(others, line.text)
		case !within:
			lines, hasRule = append(lines, line.text), true
			has[line.text] = true
			for _, c := range cells {
				for _, text := range between(c, line) {
					if !has[text] {
						lines, has[text] = append(lines, text), true
					}
				}
			}
		}
	}
	for _, c := range cells {
		lines = append(lines, c.text)
	}
	// Without a rule, the next group would join this one. "Allow: /" alone says nothing about what is closed to all.
	switch hasStar := w.before.agentLines(robotstxt.Google, "*") != nil; {
	case hasStar && (!hasRule || slices.Equal(lines, []string{"Allow: /"})):
		lines = []string{"Disallow:"}
	case !hasRule:
		lines = append(lines, "Allow: /")
	}
	return append(lines, others...)
}

// between returns lines for the paths of a cell that a rule with the contrary verdict and at
// least the cell's weight also matches: "Disallow: /a/*.css$" for the cell /a/ and the rule
// "Allow: /*.css$".
func between(c, line rule) (lines []string) {
	key, _, _ := strings.Cut(c.text, ": ")
	prefix := c.pattern.String()
	if strings.HasPrefix(line.text, key) || strings.ContainsAny(prefix, "*$") ||
		line.pattern.Priority() < c.pattern.Priority() {
		return nil
	}
	for _, rest := range residuals(line.pattern.String(), prefix) {
		lines = append(lines, key+": "+prefix+rest)
	}
	return lines
}

// residuals returns patterns that together match the rest, after a prefix, of the paths of a
// pattern.
func residuals(pattern, prefix string) (rests []string) {
	at := []int{0} // offsets in the pattern that the text so far might have reached
	isStar := func(i int) bool { return i < len(pattern) && pattern[i] == '*' }
	for n := range len(prefix) + 1 {
		for i := 0; i < len(at); i++ {
			if isStar(at[i]) {
				at = appendNew(at, at[i]+1)
			}
		}
		if n == len(prefix) {
			break
		}
		var next []int
		for _, i := range at {
			if isStar(i) {
				next = appendNew(next, i)
			} else if i < len(pattern) && pattern[i] == prefix[n] {
				next = appendNew(next, i+1)
			}
		}
		at = next
	}
	for _, i := range at {
		if i == 0 || !isStar(i-1) || !slices.Contains(at, i-1) { // the rest after a star is a part of it
			rests = append(rests, pattern[i:])
		}
	}
	return rests
}

func cellRules(d robotstxt.Dialect, cells []cell) []rule {
	var text strings.Builder
	text.WriteString("User-agent: *\n")
	for _, c := range cells {
		fmt.Fprintf(&text, "%s: %s\n", keyOf(c.allow), c.path)
	}
	return newFile([]byte(text.String())).repeatable(crawlers.Reading{}.In(&d))
}

// without returns the file without the User-agent lines of the crawlers whose groups are written
// again, and with groups in place of those that name no other crawler. It also returns the offset at which
// new groups can be inserted. Comments stay, except comments that an earlier run wrote above a
// removed group. If there are no new groups, the first of the others has the comment above it.
func (w *writer) without(groups *groups) (text []byte, at int) {
	commented := len(groups.new) == 0
	stale := w.staleComments(groups.first)
	mark := w.before.body[:bodyhead.MarkLen(w.before.body)]
	p, newline := place{mark: len(mark)}, w.before.newline()
	keeps := true
	text = append(text, mark...)
	for _, line := range w.before.lines {
		raw := bytes.TrimPrefix(line.Raw, mark)
		if line.Number > 1 {
			raw = line.Raw
		}
		agent, isFirst := groups.first[line.Number]
		if instead := groups.at[line.Number]; isFirst && agent == 0 && len(instead) > 0 {
			p.begin(len(text))
			text = append(text, w.block(instead, commented, newline)...)
			p.end(len(text))
			commented = false
		}
		switch keeps = keeps && !isFirst || agent > 0; {
		case isFirst && keeps && agent != line.Number:
			line = w.before.lines[agent-1]
			raw = line.Raw
			if agent == len(w.before.lines) {
				raw = slices.Concat(bytes.TrimRight(raw, "\r\n"), []byte(newline)) // the last line might have no end
			}
		case stale[line.Number], !keeps && line.Kind == robotstxt.KindEmpty && endsWithEmptyLine(text):
			continue
		case groups.gone[line.Number] || !keeps && ofGroup(line):
			raw = commentOf(line)
			if raw == nil {
				continue
			}
			line.Kind = robotstxt.KindComment
		}
		p.pass(line, len(text), len(text)+len(raw))
		text = append(text, raw...)
	}
	return text, p.best(len(text))
}

// removed returns the lines to remove for the crawlers whose groups are written again: their
// User-agent lines, and lines such as Crawl-delay that belong only to these. first maps the
// first User-agent line of each group to the User-agent line that takes its place, because other
// lines of the group might follow, or to 0 if the group names no other crawler.
func (w *writer) removed() (gone map[int]bool, first map[int]int) {
	gone, first = make(map[int]bool), make(map[int]int)
	for _, r := range w.readers {
		if r.written {
			// Google reads Code in a line for CODE87, which is another crawler: that line stays.
			for _, line := range w.before.agentLines(robotstxt.RFC9309, r.token) {
				gone[line] = true
			}
		}
	}
	for g := range w.before.in(robotstxt.Google).Groups() {
		from, kept := 0, 0
		for agent := range g.Agents() {
			from = cmp.Or(from, agent.Line)
			if !gone[agent.Line] {
				kept = cmp.Or(kept, agent.Line)
			}
		}
		list, orphan := -1, false // of the latest list: its first agent, and whether all are gone
		for e := range g.Extensions() {
			if !e.Listed() {
				continue
			}
			if first := firstAgent(e); first != list {
				list, orphan = first, true
				for agent := range e.Agents() {
					orphan = orphan && gone[agent.Line]
				}
			}
			if orphan {
				gone[e.Line] = true
			}
		}
		first[from] = kept
		if kept != from && kept > 0 {
			gone[kept] = true
		}
	}
	return gone, first
}

// commentOf returns the comment of a line as a separate line, or nil if it has none.
func commentOf(line robotstxt.Line) []byte {
	if line.Comment == nil {
		return nil
	}
	return line.Raw[line.CommentOffset-line.Offset:]
}

// staleComments returns the lines of comments that an earlier run has written above groups
// that are removed.
func (w *writer) staleComments(first map[int]int) map[int]bool {
	stale := make(map[int]bool)
	for i := 0; i < len(w.before.lines); i++ {
		end, ours := w.ownComment(i)
		if ours && end < len(w.before.lines) {
			if kept, isFirst := first[w.before.lines[end].Number]; isFirst && kept == 0 {
				for _, line := range w.before.lines[i:end] {
					stale[line.Number] = true
				}
			}
		}
		i = max(i, end-1)
	}
	return stale
}

// ownComment reports whether the comment that begins with a line was written by an earlier
// run, and returns the index of the line after it.
func (w *writer) ownComment(i int) (end int, ours bool) {
	var text strings.Builder
	for end = i; end < len(w.before.lines) && w.before.lines[end].Kind == robotstxt.KindComment &&
		w.before.lines[end].Comment != nil; end++ {
		text.WriteString(" " + strings.Trim(string(w.before.lines[end].Comment), "# \r\n"))
	}
	title := strings.TrimSpace(text.String())
	return end, (strings.HasPrefix(title, "robots ") || strings.HasPrefix(title, w.config.title())) && strings.Contains(title, ", with the crawlers known on ")
}

// ofGroup reports whether a line has no meaning without the group before it.
func ofGroup(line robotstxt.Line) bool {
	switch line.Kind {
	case robotstxt.KindUserAgent, robotstxt.KindAllow, robotstxt.KindDisallow:
		return true
	case robotstxt.KindUnused, robotstxt.KindUnknown:
		return !line.MissingColon && !ascii.EqualFold(string(line.Key), "Host") && !ascii.EqualFold(string(line.Key), "Clean-param")
	}
	return false
}

// place finds an offset at which groups can be inserted: earlier User-agent lines must not apply
// to the new groups, and later rules must not join them.
type place struct {
	orphans bool // a line of a group precedes all User-agent lines
	agents  bool // there was a User-agent line
	pending bool // since the last rule
	mark    int  // bytes of a byte order mark

	between int // the last place before a User-agent line that begins a group

	after  int  // the last group ends here, with the empty lines that follow
	spaced bool // an empty line followed
	tail   bool // a line that belongs to no group followed: Sitemap lines stay at the end
}

func (p *place) pass(line robotstxt.Line, offset, end int) {
	switch line.Kind {
	case robotstxt.KindUserAgent:
		p.begin(offset)
	case robotstxt.KindAllow, robotstxt.KindDisallow:
		p.pending = false
	}
	switch {
	case ofGroup(line):
		p.orphans = p.orphans || !p.agents
		p.after, p.spaced, p.tail = end, false, false
	case line.Kind == robotstxt.KindEmpty && !p.tail:
		p.after, p.spaced = end, true
	case line.Kind != robotstxt.KindComment || p.spaced:
		p.tail = true
	}
}

// begin passes the first line of a group.
func (p *place) begin(offset int) {
	if p.agents && !p.pending || p.orphans && !p.agents {
		p.between = offset
	}
	p.agents, p.pending = true, true
}

// end passes the last line of a group that has rules.
func (p *place) end(offset int) {
	p.pending, p.after, p.spaced, p.tail = false, offset, false, false
}

func (p *place) best(end int) (offset int) {
	switch {
	case !p.pending && p.tail && p.agents:
		return p.after
	case !p.pending:
		return end
	case !p.orphans:
		return p.mark
	}
	return p.between
}

// insert returns the text with a block at an offset, which is the beginning of a line, and
// with an empty line before and after it.
func insert(text []byte, at int, block []byte, newline string) []byte {
	before, after := text[:at], text[at:]
	out := slices.Clone(before)
	if rest := bodyhead.TrimMarks(before); len(rest) > 0 {
		if last := before[len(before)-1]; last != '\n' && last != '\r' {
			out = append(out, newline...)
		}
		if !endsWithEmptyLine(before) {
			out = append(out, newline...)
		}
	}
	out = append(out, block...)
	if len(bytes.TrimSpace(after)) > 0 {
		out = append(out, newline...)
	}
	return append(out, after...)
}

func endsWithEmptyLine(text []byte) bool {
	for _, end := range []string{"\n\n", "\r\n\r\n", "\r\r", "\n\r\n"} {
		if bytes.HasSuffix(text, []byte(end)) {
			return true
		}
	}
	return false
}

func (w *writer) block(groups []group, commented bool, newline string) []byte {
	var b bytes.Buffer
	if commented {
		for _, line := range w.comment() {
			b.WriteString(line + newline)
		}
	}
	for i, g := range groups {
		if i > 0 {
			b.WriteString(newline)
		}
		for _, token := range g.tokens {
			b.WriteString("User-agent: " + token + newline)
		}
		for _, line := range g.lines {
			b.WriteString(line + newline)
		}
	}
	return b.Bytes()
}
