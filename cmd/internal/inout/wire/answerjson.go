package wire

import "strconv"

// Most output is answers, by the million, and encoding/json takes six times as long for
// one as the functions of this file. Where they cannot write the same bytes, they leave
// the answer to encoding/json.

// appendPlain appends an answer whose strings are plain. ok is false if one is not, or a
// time has no form in JSON.
func (a *Answer) appendPlain(to []byte) (_ []byte, ok bool) {
	p := plain{text: append(to, opening...), ok: true}
	p.string("url", a.URL)
	p.optional("compared_url", a.ComparedURL)
	p.list("changes", a.Changes)
	p.optional("unresolved_verdict", string(a.UnresolvedVerdict))
	p.string("agent", a.Agent)
	p.list("tokens", a.Tokens)
	if a.NamedOnly {
		p.bool("named_only", true)
	}
	if a.Unread {
		p.bool("unread", true)
	}
	p.optional("governed_by", a.GovernedBy)
	p.bool("allowed", a.Allowed)
	p.int("line", a.Line)
	p.string("rule", a.Rule)
	p.string("reason", a.Reason.String())
	if a.Dialect != nil {
		p.string("dialect", a.Dialect.String())
	}
	p.string("verdict", string(a.Verdict))
	p.string("matched_by", string(a.MatchedBy))
	p.string("group", a.Group)
	p.int("group_line", a.GroupLine)
	p.optional("body", string(a.Body))
	p.string("outcome", string(a.Outcome))
	p.optional("robots_file", a.RobotsFile)
	if a.Provenance != nil {
		p.provenance(a.Provenance)
	}
	return append(p.text, '}'), p.ok
}

// plain is an object that is being written.
type plain struct {
	text []byte
	ok   bool // all strings were plain
}

func (p *plain) provenance(from *Provenance) {
	p.string("robots_url", from.RobotsURL)
	p.string("fetch_reason", from.FetchReason)
	p.int("status", from.Status)
	p.string("source", string(from.Source))
	p.key("fetched_at")
	text, err := from.FetchedAt.AppendText(append(p.text, '"'))
	p.text, p.ok = append(text, '"'), p.ok && err == nil
	if from.Age != 0 {
		p.int("age", from.Age)
	}
	p.string("policy", from.Policy)
	p.optional("fault", from.Fault)
	if from.Credentials {
		p.bool("credentials", true)
	}
	p.optional("edge", from.Edge)
}

func (p *plain) key(name string) {
	p.text = append(append(append(p.text, ',', '"'), name...), '"', ':')
}

func (p *plain) bool(name string, value bool) {
	p.key(name)
	p.text = strconv.AppendBool(p.text, value)
}

func (p *plain) int(name string, value int) {
	p.key(name)
	p.text = strconv.AppendInt(p.text, int64(value), 10)
}

// list writes strings, or omits the field if there are none.
func (p *plain) list(name string, values []string) {
	if len(values) == 0 {
		return
	}
	p.key(name)
	for i, value := range values {
		p.text = append(p.text, "[,"[min(i, 1)])
		p.quoted(value)
	}
	p.text = append(p.text, ']')
}

// optional writes a string, or omits the field if it is empty.
func (p *plain) optional(name, value string) {
	if value != "" {
		p.string(name, value)
	}
}

func (p *plain) string(name, value string) {
	p.key(name)
	p.quoted(value)
}

// quoted writes a string of printable ASCII without quotes and backslashes.
func (p *plain) quoted(value string) {
	for i := range len(value) {
		if c := value[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			p.ok = false
			return
		}
	}
	p.text = append(append(append(p.text, '"'), value...), '"')
}
