package wasm

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/origin"
)

type file struct {
	*answer.Ruling
	dialect *robotstxt.Dialect // nil means that each crawler has its own
}

type rules struct {
	robotstxt.Rules
	asSent bool // URLs are compared without encoding them first
}

// Parse reads a robots.txt, which is the input. dialect is an index of robotstxt.Dialects,
// or -1: then each crawler reads the file in its own. limit is the number of bytes to read,
// see calls.Limits.ReadBytes. The result is the handle of a file, which the caller releases.
func (m *Module) Parse(size, dialect, limit int32) (handle int32) {
	defer m.recovered(&handle)
	body, _, err := m.split(size, 0)
	if err != nil {
		return m.fail(err)
	}
	if dialect < -1 || int(dialect) >= len(robotstxt.Dialects()) {
		return m.fail(&calls.Error{Code: calls.CodeInvalid, Field: "dialect", Message: fmt.Sprintf("there is no dialect %d", dialect)})
	}
	f := &file{}
	if dialect >= 0 {
		f.dialect = &robotstxt.Dialects()[dialect]
	}
	f.Ruling = answer.RuleFile(calls.Limits{ReadBytes: int(limit)}.File(slices.Clone(body)), f.dialect, nil)
	return handleOf(m, &m.files, f)
}

// The bits of the parameter flags of Rules.
const (
	FlagExact  = 1 << iota // a single token has no documented fallbacks
	FlagAsSent             // URLs are compared as they are, without encoding them first
)

// Rules selects the rules of a file for one crawler. The input is the crawler in the
// notation of calls.Selection. The result is the handle of rules, which the caller
// releases.
func (m *Module) Rules(fileHandle, size, flags int32) (handle int32) {
	defer m.recovered(&handle)
	s := m.files.at(fileHandle)
	if s == nil {
		return m.fail(released)
	}
	agent, _, err := m.split(size, 0)
	if err != nil {
		return m.fail(err)
	}
	selection := calls.Selection{Agents: []string{string(agent)}, ExactAgent: flags&FlagExact != 0}
	crawlers, err := selection.Crawlers(calls.Unlimited())
	if err == nil && len(crawlers) != 1 {
		err = &calls.Error{Code: calls.CodeInvalid, Field: "agent", Message: fmt.Sprintf("give one crawler, not %d", len(crawlers)),
			Hint: "put a token that contains a comma or colon in double quotes"}
	}
	if err != nil {
		return m.fail(err)
	}
	if crawlers[0].Unread && s.value.dialect == nil {
		return m.fail(&calls.Error{Code: calls.CodeInvalid, Field: "agent", Message: "no user-agent line can name it, so its rules are unknown"})
	}
	return handleOf(m, &m.rules, &rules{Rules: s.value.For(s.value.dialect, crawlers).Rules(0),
		asSent: flags&FlagAsSent != 0})
}

var released = &calls.Error{Code: calls.CodeInvalid, Field: "handle", Message: "it was released, or belongs to another module",
	Hint: "do not use a robots.txt or rules after you release them"}

func handleOf[T any](m *Module, t *table[T], value T) int32 {
	handle, ok := t.add(value)
	if !ok {
		return m.fail(&calls.Error{Code: calls.CodeMemory, Message: "there are too many handles", Hint: "release the handles you no longer use"})
	}
	return handle
}

// ReleaseFile frees a file. Its rules remain valid.
func (m *Module) ReleaseFile(handle int32) { m.files.release(handle) }

// ReleaseRules frees rules.
func (m *Module) ReleaseRules(handle int32) { m.rules.release(handle) }

func (m *Module) question(rulesHandle, size int32) (*rules, []byte, error) {
	s := m.rules.at(rulesHandle)
	if s == nil {
		return nil, nil, released
	}
	input, _, err := m.split(size, 0)
	return s.value, input, err
}

// Verdict decides about a URL, which is the input. The result is twice the deciding line,
// 0 for none, and 1 more if the URL is allowed.
func (m *Module) Verdict(rulesHandle, size int32) (verdict int32) {
	defer m.recovered(&verdict)
	s, url, err := m.question(rulesHandle, size)
	if err != nil {
		return m.fail(err)
	}
	return s.verdict(url)
}

// Verdicts decides about several URLs. The input is the URLs, each with a line end, LF,
// after it. The output is the results of Verdict, little-endian, in the order of the
// URLs, and the result is the size of the output.
func (m *Module) Verdicts(rulesHandle, size int32) (written int32) {
	defer m.recovered(&written)
	s, list, err := m.question(rulesHandle, size)
	if err != nil {
		return m.fail(err)
	}
	out := m.out[:0]
	for begin, i := 0, 0; i < len(list); i++ {
		if list[i] == '\n' {
			if len(out) == cap(out) {
				out = slices.Grow(out, max(1024, len(out)))
			}
			out = binary.LittleEndian.AppendUint32(out, uint32(s.verdict(list[begin:i])))
			begin = i + 1
		}
	}
	return m.put(out)
}

// Explain decides about a URL, which is the input, with the reasons. The output is a
// robotstxt.Decision in JSON, in which bytes that are not UTF-8 are replaced, and the
// result is its size.
func (m *Module) Explain(rulesHandle, size int32) (written int32) {
	defer m.recovered(&written)
	s, url, err := m.question(rulesHandle, size)
	if err != nil {
		return m.fail(err)
	}
	decision, err := json.Marshal(s.Explain(s.compared(url)))
	if err != nil {
		return m.fail(err)
	}
	return m.put(decision)
}

// compared returns the text of a URL to which rules are compared.
func (r *rules) compared(url []byte) string {
	if r.asSent {
		return ascii.View(url)
	}
	return origin.Text(ascii.View(url)).Compared()
}

func (r *rules) verdict(url []byte) int32 {
	allowed, line := r.Verdict(r.compared(url))
	if allowed {
		return int32(line)<<1 | 1
	}
	return int32(line) << 1
}

// CrawlDelay returns the delay for the crawler of rules in seconds, and a negative number
// if there is none.
func (m *Module) CrawlDelay(rulesHandle int32) float64 {
	if s := m.rules.at(rulesHandle); s != nil {
		if delay, ok := s.value.CrawlDelay(); ok {
			return delay.Seconds()
		}
	}
	return -1
}

// MatchedBy puts out how the groups of rules were selected, see [robotstxt.MatchedBy].
func (m *Module) MatchedBy(rulesHandle int32) int32 {
	s := m.rules.at(rulesHandle)
	if s == nil {
		return m.fail(released)
	}
	return m.put([]byte(s.value.MatchedBy()))
}

// Summary is the output of Module.Summarize.
type Summary struct {
	Truncated bool     `json:"truncated"` // the body has more bytes than the limit
	Sitemaps  []string `json:"sitemaps"`  // in file order
	Hosts     []string `json:"hosts"`     // the values of the Host lines, in file order
}

// Summarize makes a Summary of a file in JSON the output. The result is its size.
func (m *Module) Summarize(fileHandle int32) (size int32) {
	defer m.recovered(&size)
	s := m.files.at(fileHandle)
	if s == nil {
		return m.fail(released)
	}
	summary := Summary{Truncated: s.value.File.Truncated, Sitemaps: []string{}, Hosts: []string{}}
	for sitemap := range s.value.Robots().Sitemaps() {
		summary.Sitemaps = append(summary.Sitemaps, sitemap.URL)
	}
	for e := range s.value.Robots().Extensions() {
		if ascii.EqualFold(e.Name, "Host") {
			summary.Hosts = append(summary.Hosts, e.Value)
		}
	}
	text, err := wire.Line{Object: summary}.MarshalJSON()
	if err != nil {
		return m.fail(err)
	}
	return m.put(text)
}
