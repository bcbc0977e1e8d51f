// Package witness answers, from the text of rules alone, which URLs can make a
// verdict change.
//
// A rule of a robots.txt file is a path pattern: a prefix compared byte by
// byte, in which '*' stands for any bytes and '$' as the very last byte for the
// end of the URL; among the rules that match, the longest pattern decides. So
// a verdict changes only at the borders of patterns, and a border is known by
// the few paths on either side of it. This package writes those paths down, the
// witnesses, so that two matchers, two dialects or two files can be compared on
// a short list of URLs where a random one would hardly ever meet a rule.
//
// Each pattern gives, in this order:
//
//   - the shortest path it matches, the same with a tail, with something in the
//     place of each star, and its neighbour that has just stopped matching;
//   - the paths it shares with a second pattern: for /a* and /*.php$ the path
//     /a.php. Without these a rule that only makes an exception to another one
//     would go unnoticed;
//   - other tails and fillings, among them those that lead a greedy matcher
//     astray;
//   - the spellings on which dialects part: case, '*' and '$' as literals, the
//     percent codes (%7E, %7e and ~; é and %C3%A9; %2F and /), doubled
//     slashes, a '?' in another place.
//
// A pattern whose last segment starts with index.htm counts as a second
// pattern too, the one of its directory: Allow: /a/index.html may speak for /a/.
// The paths /, /robots.txt and one that hardly any rule names are always there.
//
// The witnesses come in rounds, one path for each pattern in a round (a few for
// a pair of patterns), so that a small limit takes the best ones of every
// pattern. The number of rounds is fixed and a pattern meets a bounded number
// of others: the cost is linear in the rules and in the limit.
//
// Patterns are meant as they stand in the file. Bytes from 0x80 up are read as
// their percent codes and hex digits as upper case, as Google's parser does it;
// the other spellings are among the witnesses.
package witness

import (
	"crypto/sha256"
	"iter"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// DefaultLimit is the number of paths that a limit of zero or less stands for,
// unless eight for each distinct pattern are more.
const DefaultLimit = 4096

const (
	maxPattern = 1 << 15 // bytes read of a pattern; no parser reads more of a line
	maxPath    = 1 << 16 // a longer witness is dropped
)

// Paths yields the witnesses of one rule set: paths with query where the verdict
// of some set of rules with these patterns can change when a rule is dropped,
// altered or turned from Allow into Disallow. Whether a rule allows or disallows
// does not matter, nor do patterns that occur twice.
//
// The order depends on nothing but the arguments. No path comes twice; each
// starts with '/' and has no '#', and none is longer than 64 KiB; of a pattern
// the first 32 KiB count. Since a path
// may start with "//", put a scheme and a host in front of it where a URL is
// wanted. At most limit paths are yielded; for a limit of zero or less see
// DefaultLimit.
func Paths(patterns []string, limit int) iter.Seq[string] {
	return func(yield func(string) bool) {
		s := newSet(limit, yield)
		for _, p := range patterns {
			s.add(p, 1)
		}
		s.run()
	}
}

// Between yields the witnesses of two rule sets, paths where their verdicts
// can differ: those of the patterns of both and of pairs of them. In each round
// patterns that only one side has come first, and pairs across the sides before
// pairs within one. Patterns of both sides are not left out, because a pattern
// does not tell whether its rule was turned from Allow into Disallow. Otherwise
// all that Paths says holds here.
func Between(a, b []string, limit int) iter.Seq[string] {
	return func(yield func(string) bool) {
		s := newSet(limit, yield)
		for i := range max(len(a), len(b)) {
			if i < len(a) {
				s.add(a[i], 1)
			}
			if i < len(b) {
				s.add(b[i], 2)
			}
		}
		slices.SortStableFunc(s.globs, func(x, y *glob) int {
			return x.side/both - y.side/both
		})
		s.run()
	}
}

// both is the side of a pattern that occurs in both rule sets.
const both = 3

// set is one run over the distinct patterns of one or two rule sets.
type set struct {
	globs []*glob
	index map[string]*glob // the same by text
	sides int              // all sides added, or-ed

	limit int
	fill  string // text that no pattern has, if possible
	seen  map[[sha256.Size]byte]struct{}
	yield func(string) bool
}

func newSet(limit int, yield func(string) bool) *set {
	return &set{
		limit: limit,
		index: make(map[string]*glob),
		seen:  make(map[[sha256.Size]byte]struct{}),
		yield: yield,
	}
}

// add takes a pattern in and, where it names an index page, that of its
// directory.
func (s *set) add(value string, side int) {
	text := string(pattern.Google.AppendTo(nil, value[:min(len(value), maxPattern)]))
	s.addText(text, side)
	if folder, ok := pattern.New(text, true).Folder(); ok {
		s.addText(folder.String(), side)
	}
}

func (s *set) addText(text string, side int) {
	s.sides |= side
	g := s.index[text]
	if g == nil {
		g = parse(text)
		s.index[text] = g
		s.globs = append(s.globs, g)
	}
	g.side |= side
}

// early is the number of single rounds before the first round of pairs.
const early = 4

// run yields the witnesses, round by round.
func (s *set) run() {
	if s.limit <= 0 {
		s.limit = max(DefaultLimit, 8*len(s.globs))
	}
	s.fill = s.pickFill()
	for _, v := range variants[:early] {
		if !s.single(v) {
			return
		}
	}
	for _, p := range []string{"/", "/robots.txt", "/" + s.fill} {
		if !s.emit(p) {
			return
		}
	}
	partners := s.partners()
	rest := variants[early:]
	for round := 0; len(rest) > 0 || round < maxPartners; round++ {
		if !s.pairs(partners, round) {
			return
		}
		n := min(2, len(rest))
		for _, v := range rest[:n] {
			if !s.single(v) {
				return
			}
		}
		rest = rest[n:]
	}
}

// single yields one variant of each pattern.
func (s *set) single(v variant) bool {
	for _, g := range s.globs {
		if !s.emit(v(g, s.fill)) {
			return false
		}
	}
	return true
}

// emit yields a path unless it is empty, too long or known already, and reports
// whether more are wanted.
func (s *set) emit(path string) bool {
	if i := strings.IndexByte(path, '#'); i >= 0 {
		path = path[:i] // the rest would be a fragment
	}
	if path == "" || len(path) > maxPath {
		return true
	}
	path = rooted(path)
	key := sha256.Sum256([]byte(path))
	if _, ok := s.seen[key]; ok {
		return true
	}
	s.seen[key] = struct{}{}
	return s.yield(path) && len(s.seen) < s.limit
}

// pickFill chooses the text that fills stars and makes tails: one that no
// pattern contains, so that filling does not make another rule match.
func (s *set) pickFill() string {
	fills := []string{"x", "z", "q", "xz", "zq", "qxz", "zzqx"}
	for _, f := range fills {
		if !slices.ContainsFunc(s.globs, func(g *glob) bool { return strings.Contains(g.text, f) }) {
			return f
		}
	}
	return fills[0]
}

// rooted puts a slash in front of a path that lacks it.
func rooted(path string) string {
	if strings.HasPrefix(path, "/") {
		return path
	}
	return "/" + path
}
