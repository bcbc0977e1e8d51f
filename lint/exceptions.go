package lint

import (
	"slices"
	"strings"
	"sync"
)

// exception says which findings hide others. No check knows another one: checks yield candidates, and this table
// decides which are reported. Nothing else hides a finding but the settings and comments of the user.
type exception struct {
	by, hides string // codes; 2xx means all that begin with RX2
	on        place
	why       string
}

// place is where findings hide others.
type place uint8

const (
	// inBody means that crawlers find no directive in the body.
	inBody place = iota
	// onLost means the same line, of which the reason is known before all checks. See reason.
	onLost
	// nearMisread means groups whose rules might not be what their author means. See document.misreadGroups.
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
	{"401 403 418", "1xx 2xx 3xx 4xx 5xx", inBody, "crawlers find no directive in such a body, so nothing else matters"},
	{"421", "1xx 2xx 3xx 4xx 5xx", onLost, "crawlers get the file that is built from the template"},
	{"104 215 401 405 409 410 413 416 417 419", "2xx 50x 511 513 514 515 516 517 518 522 523 524 525 526", onLost, "crawlers do not read the line, or not with the value that its author wrote"},
	{misreadCodes, "208 210", nearMisread, "a rule that looks redundant might be needed once the line is read as meant"},
	{"223", "208", onRule, "the advice is to change the other rule"},
	{"203 205 212 220 222 410 411 412 417", "211", onLine, "the path is not what its author means"},
	{"304 308", "306", inFile, "they say that no rule is for all"},
	{"301", "522", inGroup, "the rules might belong to the next crawler only"},
	{"518", "506", onLine, "the line applies to no crawler"},
}

// misreadCodes mean that crawlers do not read a line as its author meant it.
const misreadCodes = "104 107 109 113 115 116 202 203 204 205 211 212 215 219 220 222 301 304 314 405 409 410 411 412 416 417 419 517"

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

// mark notes where a finding on a line hides others.
func (r *finder) mark(f *Finding, l *line, hides []*exception) {
	for _, e := range hides {
		if r.marks == nil {
			r.marks = map[mark]bool{}
		}
		switch e.on {
		case onLine:
			r.marks[mark{e, f.Line}] = true
		case onRule:
			r.marks[mark{e, f.Line}] = true
			for _, related := range f.Related {
				r.marks[mark{e, related.Line}] = true
			}
		case inGroup:
			r.marks[mark{e, int(l.group)}] = true
		case inFile:
			r.marks[mark{e, 0}] = true
		}
	}
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
			hidden = hidden || d.misreadGroups()[c.line.group]
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
