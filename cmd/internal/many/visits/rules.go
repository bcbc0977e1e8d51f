package visits

import (
	"bytes"
	"context"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/visitor"
)

type crawler struct {
	crawlers.Crawler
	operator   int
	verifiable bool // it has lists or masks
	promises   bool // its operator states that it obeys
	isForAI    bool // its main purpose, which the table shows, is one of AI
	keep       time.Duration
	own        crawlers.Reading
	ok         bool               // a line can name it
	senders    []crawlers.Reading // the readings of all crawlers that might have sent its header
	unstated   []crawlers.Reading // the readings that they might have, because no source states theirs
	isOpen     bool               // no source states how it compares names
	counts
}

// newCrawler returns a crawler with all crawlers that might have sent its header: another crawler
// of the operator can send the header and fall back to the token. A crawler whose reading no
// source states might read in any dialect. If another name of the operator begins with its name, as
// GoogleOther-Image with GoogleOther, it might also obey the group for that name, as it might for the name
// that it had before.
func newCrawler(c crawlers.Crawler, operator int) *crawler {
	n := &crawler{Crawler: c, operator: operator, verifiable: visitor.IsVerifiable(&c), counts: newCounts()}
	n.promises = (c.Obeys == crawlers.ObeysAll || c.Obeys == crawlers.ObeysNamed) && slices.Contains(c.Verified, "obeys")
	n.isForAI = strings.HasPrefix(string(c.Purposes[0]), "ai-")
	n.own, n.ok = crawlers.ReadingOf(c.Token)
	n.promises = n.promises && n.ok
	family := []crawlers.Crawler{c}
	if c.Operator != crawlers.Unknown {
		for other := range crawlers.All() {
			if other.Operator == c.Operator && slices.Contains(other.Fallbacks, c.Token) {
				family = append(family, other)
			}
		}
	}
	for _, member := range family {
		if cache, err := time.ParseDuration(member.Cache); err == nil {
			n.keep = max(n.keep, cache)
		}
		reading, ok := crawlers.ReadingOf(member.Token)
		if !ok {
			continue
		}
		n.senders = append(n.senders, reading)
		n.isOpen = n.isOpen || !reading.Stated
		if !reading.Stated {
			for _, dialect := range robotstxt.Dialects() {
				if dialect != reading.Dialect {
					n.unstated = append(n.unstated, reading.In(&dialect))
				}
			}
		}
	}
	for other := range crawlers.All() {
		replaced := other.Operator == c.Operator && slices.Contains(other.Replacements, c.Token)
		if n.ok && (replaced || isSibling(&c, &other)) {
			sibling := n.own
			sibling.Tokens = slices.Concat([]string{other.Token}, n.own.Tokens)
			n.unstated = append(n.unstated, sibling)
		}
	}
	return n
}

// isSibling reports whether two crawlers are products of one family, and no source states which group they obey if
// the other one has a group.
func isSibling(c, other *crawlers.Crawler) bool {
	short, long := c.Token, other.Token
	if len(short) > len(long) {
		short, long = long, short
	}
	return c.Operator == other.Operator && c.Operator != crawlers.Unknown && !other.Control &&
		len(short) < len(long) && ascii.EqualFold(short, long[:len(short)]) &&
		!slices.Contains(c.Fallbacks, other.Token) && !slices.Contains(other.Fallbacks, c.Token)
}

// file is a version of a robots.txt with its rules.
type file struct {
	sha      string
	none     bool // the file has no rules, or there is no file: everything is allowed, or nothing is known to be closed
	closes   bool // the site did not answer with a file: a crawler might treat it as closed
	partial  bool // more of it is not known, or is ignored by some crawlers: they must read 500 KiB [RFC 9309 2.5]
	body     []byte
	texts    []text             // the body, and what it is to crawlers that read lines in other ways
	rules    map[int]*fileRules // by crawler
	deflated int64              // its size, once compressed was called
	lines    [][]byte           // of the body, once text was called
	named    map[string]bool    // the paths in Sitemap and License lines, once names was called
}

type fileRules struct {
	own               robotstxt.Rules
	senders, unstated []robotstxt.Rules
}

// newFile returns a file that was served with status 200.
func newFile(body []byte) *file {
	f := &file{body: body, texts: textsOf(body), rules: map[int]*fileRules{}}
	kind := robotstxt.BodyOf(body)
	f.none = kind != robotstxt.BodyText && kind != robotstxt.BodyEmpty
	f.partial = len(body) > robotstxt.DefaultBodyLimit
	return f
}

func (r *run) fileOf(ctx context.Context, v *history.Version) (*file, error) {
	key := fileKey{v.SHA256, v.HasBody, v.Status, v.Truncated, v.Fault != ""}
	f, ok := r.bodies[key]
	if !ok {
		f = &file{none: true, closes: v.Fault != "" || v.Status >= 500 || v.Status == 429 || v.Status == 0}
		if v.HasBody && v.Fault == "" && v.Status >= 200 && v.Status < 300 {
			body, err := r.History.Body(ctx, v.SHA256)
			if err != nil {
				return nil, err
			}
			f = newFile(body)
			f.sha = hex.EncodeToString(v.SHA256[:])
			f.partial = f.partial || v.Truncated
		}
		r.bodies[key] = f
	}
	return f, nil
}

// fileKey has the properties that two versions with the same meaning share.
type fileKey struct {
	sha       [32]byte
	hasBody   bool
	status    int
	truncated bool
	fault     bool
}

// in returns the file as it is, in a dialect.
func (f *file) in(d robotstxt.Dialect) *robotstxt.Robots { return f.texts[0].in(d) }

func (f *file) of(id int, c *crawler) *fileRules {
	rules := f.rules[id]
	if rules == nil {
		rules = &fileRules{own: c.own.Rules(f.in(c.own.Dialect))}
		for i := range f.texts {
			senders, unstated := f.texts[i].of(c, i == 0)
			if i == 0 {
				rules.senders = senders
			} else {
				unstated = slices.Concat(senders, unstated)
			}
			rules.unstated = append(rules.unstated, unstated...)
		}
		f.rules[id] = rules
	}
	return rules
}

// urlOf returns the form of a target to which rules are compared: a path that begins with two
// slashes has no host.
func urlOf(target string) string { return "https://host" + target }

// allows reports whether a file, in the crawler's own reading, allows it a target. It also returns
// the deciding line.
func (f *file) allows(id int, c *crawler, url string) (allowed bool, line int) {
	if f.none {
		return !f.closes, 0
	}
	return f.of(id, c).own.Verdict(url)
}

// allowsAny reports whether any of some rules of the file allow a target.
func (f *file) allowsAny(rules []robotstxt.Rules, url string) bool {
	return slices.ContainsFunc(rules, func(r robotstxt.Rules) bool { return r.Allowed(url) })
}

// text returns a line of the file. Thousands of visits can be about one line.
func (f *file) text(line int) string {
	if f.lines == nil {
		f.lines = slices.Collect(bytes.Lines(f.body))
	}
	if line < 1 || line > len(f.lines) {
		return ""
	}
	return string(bytes.TrimSpace(f.lines[line-1]))
}
