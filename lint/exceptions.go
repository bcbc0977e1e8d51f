package lint

import (
	"slices"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt"
)

// exception says which findings hide others. No check knows another one: checks yield candidates, and this table
// decides which are reported. Nothing else hides a finding but the settings and comments of the user.
type exception struct {
	by, hides string // codes; 2xx means all that begin with RX2
	on        place
	why       string
	least     Severity // of the findings that hide others
}

// place is where findings hide others.
type place uint8

const (
	// inBody means that crawlers find no directive in the body.
	inBody place = iota
	// onLost means the same line, of which the reason is known before all checks. See reason.
	onLost
	// nearMisread means groups whose rules might not be what their author means, see document.misreadGroups. This is so
	// even if the other finding is off, or hidden by a comment.
	nearMisread
	onLine
	// onRule means that the other finding is about the rule that decides. With Config.Pedantic, which adds such
	// findings, it hides none.
	onRule
	inGroup
	inFile
)

var placeNames = [...]string{
	inBody: "if crawlers find no directive in the file", onLost: "on the same line", nearMisread: "in the same group, in one for the same crawler, or after a User-agent line",
	onLine: "on the same line", onRule: "on the line that decides, without --pedantic", inGroup: "in the same group", inFile: "in the file",
}

var exceptions = [...]exception{
	{by: "401 403 418", hides: "1xx 2xx 3xx 4xx 5xx", on: inBody, why: "crawlers find no directive in such a body, so nothing else matters"},
	{by: "421", hides: "1xx 2xx 3xx 4xx 5xx", on: onLost, why: "crawlers get the file that is built from the template"},
	{by: "104 215 401 405 409 410 413 416 417 419", hides: "2xx 50x 511 513 514 515 516 517 518 522 523 524 525 526", on: onLost, why: "crawlers do not read the line, or not with the value that its author wrote"},
	{by: misreadCodes, hides: "208 210", on: nearMisread, why: "a rule that looks redundant might be needed once the line is read as meant"},
	{by: "413", hides: "208 210", on: nearMisread, why: "if the text is a path or a name, it can be the rest of a rule"},
	{by: "207 502 505", hides: "208 210", on: nearMisread, why: "as a warning or an error, they mean the same", least: Warning},
	{by: "223", hides: "208", on: onRule, why: "the advice is to change the other rule"},
	{by: "203 205 212 220 222 410 411 412 417", hides: "211", on: onLine, why: "the path is not what its author means"},
	{by: "304 308", hides: "306", on: inFile, why: "they say that no rule is for all"},
	{by: "301", hides: "522", on: inGroup, why: "the rules might belong to the next crawler only"},
	{by: "518", hides: "506", on: onLine, why: "the line applies to no crawler"},
}

// misreadCodes mean that crawlers do not read a line as its author meant it.
const misreadCodes = "104 107 109 113 115 116 202 203 204 205 211 212 215 219 220 222 301 304 314 405 409 410 411 412 416 417 419 421 517"

// role is what the findings of a check do to others, and others to them.
type role struct {
	lost            uint32       // the reasons that hide them, as bits
	hides, hiddenBy []*exception // the other ones
}

var roles = sync.OnceValue(func() map[*Entry]*role {
	roles := make(map[*Entry]*role, len(catalogue))
	for _, c := range catalogue {
		r := &role{}
		for i := range exceptions {
			switch e := &exceptions[i]; {
			case e.on == inBody: // see portion
			case e.on == onLost && hasCode(e.hides, c.Code):
				for why, by := range reporters {
					if by.Entry != nil && by.Entry != c.Entry && hasCode(e.by, by.Code) {
						r.lost |= 1 << why
					}
				}
			case e.on == onLost:
			case hasCode(e.hides, c.Code):
				r.hiddenBy = append(r.hiddenBy, e)
			case hasCode(e.by, c.Code):
				r.hides = append(r.hides, e)
			}
		}
		roles[c.Entry] = r
	}
	return roles
})

// mark is a place where findings hide others: the number of a line or group, 0 for the file.
type mark struct {
	by     *exception
	number int
}

// candidate is a finding that others might hide. Which, is known after all inspectors.
type candidate struct {
	Finding
	line *line
	role *role
	once Severity
}

// mark notes where a finding hides others. Off is the severity of one that is not reported.
func (r *finder) mark(f *Finding, l *line, hides []*exception) {
	for _, e := range hides {
		if f.Severity < e.least || f.Severity == Off && e.on != nearMisread {
			continue
		}
		if r.marks == nil {
			r.marks, r.misread = map[mark]bool{}, map[int]bool{}
		}
		switch e.on {
		case nearMisread:
			r.misread[f.Line] = true
		case onLine, onRule:
			r.marks[mark{e, f.Line}] = true
		case inGroup:
			r.marks[mark{e, int(l.group)}] = true
		case inFile:
			r.marks[mark{e, 0}] = true
		}
		for _, related := range f.Related {
			if e.on == onRule {
				r.marks[mark{e, related.Line}] = true
			}
		}
	}
}

// misreadGroups returns for each group whether its rules might not be what its author means: a finding says so of one
// of its lines, or of one of a group with the same crawler. After that line is fixed, rules that look redundant might
// be needed. Such a User-agent line, or a rule before the first group, might move rules into any group. If all rules
// of a group are misread and are removed, its crawlers join the next group, so that is misread too.
func (d *document) misreadGroups() []bool {
	if d.near != nil {
		return d.near
	}
	d.near = make([]bool, len(d.groups))
	group := int32(-1)
	stays := false // a rule of the group is read as meant
	for i := range d.lines {
		l := &d.lines[i]
		isMisread := d.misread[l.number] && (l.reason != plainText || bareValue(l) != "" || isRestOfPath(l.content()))
		switch {
		case group < 0 && (isMeantAsRule(*l) || isMisread && losesAgent(l)),
			isMisread && (l.kind == robotstxt.KindUserAgent || group >= 0 && losesAgent(l)):
			d.near = slices.Repeat([]bool{true}, len(d.groups))
			return d.near
		case l.kind == robotstxt.KindUserAgent && l.group > group:
			d.near[l.group] = group >= 0 && d.near[group] && !stays
			group, stays = l.group, false
		case group >= 0 && isMisread:
			d.near[group] = true
		case isRule(l):
			stays = true
		}
	}
	own := slices.Clone(d.near)
	for lines := range d.byToken() {
		isNear := func(a agentLine) bool { return own[d.line(a.line).group] }
		if slices.ContainsFunc(lines, isNear) {
			for _, a := range lines {
				d.near[d.line(a.line).group] = true
			}
		}
	}
	return d.near
}

// decide reports the candidates that nothing hides.
func (d *document) decide() {
	d.close()
	waiting := d.waiting
	d.waiting = nil
	for i := range waiting {
		if !d.isHidden(&waiting[i]) {
			d.add(waiting[i].Finding, waiting[i].once)
			d.close()
		}
	}
}

func (d *document) isHidden(c *candidate) (hidden bool) {
	for _, by := range c.role.hiddenBy {
		number := 0
		switch by.on {
		case nearMisread:
			hidden = hidden || d.misread != nil && d.misreadGroups()[c.line.group]
			continue
		case onLine:
			number = c.Line
		case onRule:
			if len(c.Related) == 0 || d.config.Pedantic {
				continue
			}
			number = c.Related[0].Line
		case inGroup:
			number = int(c.line.group)
		}
		hidden = hidden || d.marks[mark{by, number}]
	}
	return hidden
}

// hasCode reports whether a code is in one of the columns of the table.
func hasCode(codes string, code Code) bool {
	number := strings.TrimPrefix(string(code), "RX")
	return slices.ContainsFunc(strings.Fields(codes), func(listed string) bool {
		return strings.HasPrefix(number, strings.TrimRight(listed, "x"))
	})
}
