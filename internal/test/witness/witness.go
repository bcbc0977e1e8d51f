// Package witness makes short lists of paths at which the verdicts of two parsers, two
// dialects or two files are likely to differ. Tests compare verdicts on these paths;
// random paths would hardly ever match a rule.
//
//	for path := range witness.Paths([]string{"/a*", "/*.php$"}, 12) {
//		// compare the verdicts of path
//	}
//
// A rule of a robots.txt file is a path pattern: a prefix that is compared byte by byte, in
// which '*' matches any bytes and '$' as the last byte matches the end of the URL. The longest
// matching pattern decides. So verdicts change only at the borders of patterns: where a path
// just matches or just fails to match. The paths on both sides of a border are the witnesses of
// its pattern.
//
// The witnesses of a pattern are, in this order:
//
//   - the shortest path that it matches, the same with a tail, with a text in place of
//     each star, and a path that just fails to match;
//   - paths that it and a second pattern both match: for /a* and /*.php$ the path
//     /a.php. Without these, tests would miss a rule that is only an exception to
//     another one;
//   - other tails and fillings, among them those that lead a greedy matcher
//     astray;
//   - spellings that dialects read differently: case, '*' and '$' as literals, percent
//     codes (%7E, %7e and ~; é and %C3%A9; %2F and /), doubled slashes, a '?' in
//     another place.
//
// A pattern whose last segment starts with index.htm is used as the pattern of its folder too,
// because Allow: /a/index.html can allow /a/ too. The paths /, /robots.txt and one that
// probably matches no rule are always included.
//
// The paths come in rounds, with one path for each pattern, or a few for a pair of
// patterns. So a small limit gives the best paths of every pattern. The number of rounds
// and the number of pairs of a pattern are bounded, so the time is linear in the rules
// and in the limit.
//
// Pass the patterns as they are in the file. Bytes from 0x80 are read as percent codes
// and hex digits as upper case, like Google's parser does; other spellings are among
// the witnesses.
package witness

import (
	"crypto/sha256"
	"iter"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/internal/pattern"
)

// DefaultLimit is the limit of paths if the limit passed is zero or less. If it is
// higher, the limit is eight paths for each distinct pattern instead.
const DefaultLimit = 4096

const (
	maxPattern = 1 << 15 // bytes read of a pattern; no parser reads more of a line
	maxPath    = 1 << 16 // a longer witness is dropped
)

// Paths yields the witnesses of one rule set: paths, with queries, at which a verdict
// can change if a rule with one of these patterns is removed, changed, or turned from
// Allow into Disallow. Patterns can occur twice.
//
// Paths yields at most limit paths; for a limit of zero or less see DefaultLimit. The
// order depends only on the arguments. No path occurs twice; each starts with '/', does
// not contain '#', and has at most 64 KiB. Only the first 32 KiB of a pattern are read.
// A path can start with "//", so put a scheme and a host before it to make a URL.
func Paths(patterns []string, limit int) iter.Seq[string] {
	return func(yield func(string) bool) {
		s := newSet(limit, yield)
		for _, p := range patterns {
			s.add(p, 1)
		}
		s.run()
	}
}

// Between yields the witnesses of two rule sets: paths at which their verdicts can
// differ. In each round, patterns of only one set come first, and pairs across the sets
// come before pairs within one. Patterns that are in both sets are included, because
// their rules might have been turned from Allow into Disallow. The limit, the order and
// the form of the paths are the same as for Paths.
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
	index map[string]*glob // globs by text
	sides int              // union of the sides of all globs

	limit int
	fill  string // text that is in no pattern, if possible
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

// add adds a pattern and, if it is one of an index page, the pattern of its folder.
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
	s.findPartners()
	rest := variants[early:]
	for round := 0; len(rest) > 0 || round < maxPartners; round++ {
		if !s.pairs(round) {
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

func (s *set) single(v variant) bool {
	for _, g := range s.globs {
		if !s.emit(v(g, s.fill)) {
			return false
		}
	}
	return true
}

// emit yields a path unless it is empty, too long or a duplicate. It reports whether to
// continue.
func (s *set) emit(path string) bool {
	if i := strings.IndexByte(path, '#'); i >= 0 {
		path = path[:i] // the rest is a fragment
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

// pickFill chooses the text for stars and tails. No pattern contains it, so that it
// does not make another rule match.
func (s *set) pickFill() string {
	fills := []string{"x", "z", "q", "xz", "zq", "qxz", "zzqx"}
	for _, f := range fills {
		if !slices.ContainsFunc(s.globs, func(g *glob) bool { return strings.Contains(g.text, f) }) {
			return f
		}
	}
	return fills[0]
}

func rooted(path string) string { return "/" + strings.TrimPrefix(path, "/") }

// Short returns all paths of at most so many pieces after the first slash, shorter ones first.
func Short(pieces []string, most int) []string {
	paths := []string{"/"}
	for start := 0; most > 0; most-- {
		end := len(paths)
		for _, path := range paths[start:end] {
			for _, piece := range pieces {
				paths = append(paths, path+piece)
			}
		}
		start = end
	}
	return paths
}
