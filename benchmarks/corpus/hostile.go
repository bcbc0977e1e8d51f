package corpus

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Hostile is a file for which some parser needs much more time than its size
// suggests. It was found by a search for such files, or it attacks a known method.
type Hostile struct {
	Name string
	What string // the rules and, if it matters, the path
	Why  string // the reason why it takes long, and for which method
	Make func() File
}

// hostileSize is just within the 500 KiB that a crawler must read, hostilePath
// the length of most paths.
const (
	hostileSize = 490_000
	hostilePath = 2000
)

// HostileMatches returns files in which a query takes long. Each has one path.
func HostileMatches() []Hostile {
	a := WorstPath()
	worst := func(path string) func() File { return func() File { return File{WorstFile(), []string{path}} } }
	const runs = "`/*aaa*a*aaaa*a*aa*aaaaa*a*b`, distinct"
	return []Hostile{
		{"stars, no b", runs + "; the path is all `a`", "all rules contain the same texts, so that no text distinguishes them", worst(a)},
		{"stars, b first", runs + "; the path has one `b`, at its beginning", "a test of which bytes the path contains rejects no rule", worst("/b" + a[2:])},
		{"stars, b last", runs + "; the path ends in `b`", "every rule matches, so that the heaviest has to be found", worst(strings.TrimSuffix(a, "a") + "b")},
		{"period 9", "`*ag`, equal; `/g` and then `abbbbbbbb` repeated", "a search for `ag` meets an `a` every nine bytes: too rarely for the search to change its method, too often for it to be fast", period(9, hostilePath)},
		{"period 12", "the same with 11 `b`", "as period 9", period(12, hostilePath)},
		{"period 24", "the same with 23 `b`", "as period 9", period(24, hostilePath)},
		{"period 9, 8 KB path", "the first with a longer path", "shows whether the time grows faster than the path", period(9, 4*hostilePath)},
		{"triples absent", "`*abc`, distinct; every pair of letters is in the path, none of the triples", "a test for pairs of bytes rejects no rule", triplesAbsent},
		{"triples present", "five triples of eight letters in each rule; every triple is in the path", "a test for short texts rejects no rule: only their order decides", triplesPresent},
		{"pairs of ten letters", "twelve pairs in each rule; the path is random", "each piece occurs in the path some twenty times", pairsOfTen},
		{"40 equal letters", "40 × `a` and another letter; the path has that letter, and no such run before it", "all texts of four bytes but the last are the same one, which is everywhere in the path", equalLetters(40)},
		{"70 equal letters", "the same with 70", "as 40 equal letters, with longer searches", equalLetters(70)},
		{"abab", "`*ababab*ababababc`; the path is `c` and then `abab…`", "a search that goes back after a mismatch goes back far, at every second byte", abab},
		{"own grams", "each rule has four bytes of the path, and three that are not there", "an index by texts of four bytes finds all rules", ownGrams},
		{"equal rules", "`*a`, equal; the path ends in its only `a`", "rules that are not merged are all tried", equalRules},
		{"short pieces", "pieces of one to three bytes of four letters; the last is only at the path's beginning", "no piece has four bytes, so that an index by texts of four bytes finds none of the rules", shortPieces},
		{"every length", "a part of the path in each rule, five of every length, and then 30 letters that are not there; the path is random, of two letters", "a table of the path's texts is made for each length", everyLength(hostilePath)},
		{"every length, 4 KB path", "the same with a longer path", "shows whether the time grows faster than the path", everyLength(2 * hostilePath)},
		{"every length, 16 KB path", "the same with a longer path", "as before", everyLength(8 * hostilePath)},
		{"64 periods of 31", "70 pieces that each need a period of their own; the path has 64", "each rule fails only at the path's end, after 64 searches", periods},
	}
}

// ruleFile returns a file of hostileSize bytes of rules.
func ruleFile(path string, rule func(i int) string) File {
	var out bytes.Buffer
	out.WriteString("User-agent: *\n")
	for i := 0; ; i++ {
		line := rule(i) + "\n"
		if out.Len()+len(line) > hostileSize {
			return File{NewBody(out.Bytes()), []string{path}}
		}
		out.WriteString(line)
	}
}

// filled returns start and then text, repeated up to length bytes.
func filled(start, text string, length int) string {
	return start + strings.Repeat(text, (length-len(start))/len(text))
}

func period(n, length int) func() File {
	return func() File {
		return ruleFile(filled("/g", "a"+strings.Repeat("b", n-1), length), func(int) string { return "Allow:*ag" })
	}
}

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"

func triplesAbsent() File {
	letters := alphabet[:30]
	path := "/" + everyPair(letters)
	var absent []string
	for i := range len(letters) * len(letters) * len(letters) {
		triple := string([]byte{letters[i%30], letters[i/30%30], letters[i/900]})
		if !strings.Contains(path, triple) {
			absent = append(absent, triple)
		}
	}
	return ruleFile(path, func(i int) string { return "Allow:*" + absent[i%len(absent)] })
}

// everyPair returns a text that contains every pair of different letters, and
// few triples.
func everyPair(letters string) string {
	var b strings.Builder
	for step := 1; step < len(letters); step++ {
		seen := make([]bool, len(letters))
		for start := range letters {
			for i := start; !seen[i]; i = (i + step) % len(letters) {
				if i == start {
					b.WriteByte(letters[i])
				}
				seen[i] = true
				b.WriteByte(letters[(i+step)%len(letters)])
			}
		}
	}
	return b.String()
}

// choose returns n random letters of an alphabet.
func (g *generator) choose(letters string, n int) string {
	text := make([]byte, n)
	for i := range text {
		text[i] = letters[g.IntN(len(letters))]
	}
	return string(text)
}

// pieces returns a rule of n random pieces of length letters each.
func (g *generator) pieces(letters string, n, length int) string {
	rule := "Disallow:"
	for range n {
		rule += "*" + g.choose(letters, length)
	}
	return rule
}

func triplesPresent() File {
	g := shape(7)
	path := "/" + g.choose(alphabet[:8], hostilePath-1)
	return ruleFile(path, func(int) string { return g.pieces(alphabet[:8], 5, 3) })
}

func pairsOfTen() File {
	g := shape(8)
	path := "/" + g.choose(alphabet[:10], hostilePath-1)
	return ruleFile(path, func(int) string { return g.pieces(alphabet[:10], 12, 2) })
}

func equalLetters(n int) func() File {
	return func() File {
		path := filled("/"+alphabet[1:26], "a", hostilePath)
		return ruleFile(path, func(i int) string { return "Disallow:*" + strings.Repeat("a", n) + alphabet[1+i%25:2+i%25] })
	}
}

func abab() File {
	return ruleFile(filled("/c", "ab", hostilePath), func(i int) string {
		return "Disallow:*" + strings.Repeat("ab", 2+i%19) + "*" + strings.Repeat("ab", 2+i/19%17) + "c"
	})
}

func ownGrams() File {
	g := shape(9)
	text := g.letters(hostilePath - 1)
	return ruleFile("/"+text, func(i int) string {
		at := i * 7 % (len(text) - 4)
		for {
			if piece := g.letters(3); !strings.Contains(text, piece) {
				return "Disallow:*" + text[at:at+4] + "*" + piece
			}
		}
	})
}

func equalRules() File {
	return ruleFile(filled("/", "b", hostilePath-1)+"a", func(int) string { return "Allow:*a" })
}

func shortPieces() File {
	g := shape(10)
	return ruleFile("/e"+g.choose("abcd", hostilePath-2), func(int) string {
		rule := "Disallow:"
		for range 8 {
			rule += "*" + g.choose("abcd", 1+g.IntN(3))
		}
		return rule + "*e"
	})
}

// everyLength returns a file with five rules for each length of a first piece.
func everyLength(length int) func() File {
	return func() File {
		g := shape(13)
		path := "/" + g.choose("ab", length-1)
		return ruleFile(path, func(i int) string {
			size := min(2+i/5, length/2)
			at := 1 + g.IntN(length-size)
			return "Disallow:/*" + path[at:at+size] + "*" + g.choose("ab", 30)
		})
	}
}

// periods returns a file with a path of 64 times the same 31 letters. The pieces
// of each rule step back through these letters, so that no two fit into one period.
func periods() File {
	g := shape(11)
	word := alphabet[:31]
	return ruleFile("/"+strings.Repeat(word, 64), func(int) string {
		rule := "Disallow:"
		at := g.IntN(25)
		for range 70 {
			rule += "*" + word[at:at+4]
			at -= g.IntN(3)
			if at < 0 {
				at += 26
			}
		}
		return rule
	})
}

// HostileParses returns files that take long to parse. Their paths do not matter.
func HostileParses() []Hostile {
	sized := func(size int) func() File { return func() File { return manyGroups(size) } }
	lines := func(next func(g *generator, i int) string) func() File {
		return func() File {
			g := shape(12)
			return ruleFile("/", func(i int) string { return next(g, i) })
		}
	}
	same := func(line string) func() File { return lines(func(*generator, int) string { return line }) }
	return []Hostile{
		{"26 agents, 0.7 MB", "groups of 26 agents and a rule; all groups have the same agents", "agents that are sorted by their token tie, and ties are compared byte by byte", sized(700_000)},
		{"26 agents, 2.8 MB", "the same", "shows whether the time for a byte grows with the file", sized(2_800_000)},
		{"26 agents, 11 MB", "the same", "as before", sized(11_200_000)},
		{"10,000 agents", "500 groups of 20 agents and 5 rules", "every agent has to be added to a table", func() File { f, _, _ := Agents(); return f }},
		{"agents of one group", "distinct agents, no rule", "all of the time is that of the table of agents", lines(func(g *generator, _ int) string { return "User-agent: " + g.letters(6) })},
		{"agents that differ in case", "one agent of 40 letters, in random case", "equal for every crawler, and only a comparison of the whole token shows it", lines(func(g *generator, _ int) string { return "User-agent: " + g.anyCase(40) })},
		{"many * groups", "`User-agent: *` and a rule, repeated", "every group applies to every crawler", lines(func(_ *generator, i int) string { return []string{"User-agent: *", "Disallow: /"}[i%2] })},
		{"long rules of é", "rules of 1,000 × `é`", "every byte is written as a code of three", same("Disallow: /" + strings.Repeat("é", 1000))},
		{"short rules of é", "`Disallow: /é`", "every line has a byte to encode, so that the slow path is taken for each line", same("Disallow: /é")},
		{"u a", "`u a`", "a line without a colon may still have a key: it is scanned twice", same("u a")},
		{"bare Allow:", "`Allow:`", "lines without a value are short, so that the fixed time of a line counts most", same("Allow:")},
		{"clean-para:", "`clean-para: x`", "a key that is nearly a known one", same("clean-para: x")},
		{"disal:", "`disal: /`", "a key that begins like a known one, and like its misspellings", same("disal: /")},
		{"missing colon", "`Disallow /x`", "the key is only known after a search for a colon, and for a second word", same("Disallow /x")},
		{"blank before colon", "`Disallow : /x`", "the key does not end where a known key ends", same("Disallow : /x")},
		{"host", "`host: x`", "a key that few parsers know, and that this project keeps", same("host: x")},
		{"over-long lines", "`Disallow: /` and 20,000 × `a`", "a parser that looks for the end of a line at the limit of 16,663 bytes looks twice", same("Disallow: /" + strings.Repeat("a", 20_000))},
		{"bare CR", "lines that end in CR alone", "a search for the next LF goes to the end of the file, for each line", func() File {
			f := same("Disallow: /abc")()
			return File{NewBody(bytes.ReplaceAll(f.Bytes, []byte("\n"), []byte("\r"))), f.Paths}
		}},
		{"NUL in each line", "`Disallow: /a`, NUL and more", "a search for the next NUL is made for each line", same("Disallow: /a\x00b")},
		{"10,000 literals", "rules without wildcards, of 30 bytes", "lines that only need to be copied", func() File { return Literals(10_000) }},
		{"5,000 wildcards", "rules of three texts and a `$`, of 65 to 105 bytes", "as before, with longer lines", func() File { return Wildcards(5000) }},
	}
}

func manyGroups(size int) File {
	var group bytes.Buffer
	for c := range strings.SplitSeq(alphabet[:26], "") {
		fmt.Fprintf(&group, "User-agent: %s\n", c)
	}
	group.WriteString("Disallow: /\n")
	body := bytes.Repeat(group.Bytes(), size/group.Len())
	return File{NewBody(slices.Clip(body)), []string{"/"}}
}

// anyCase returns n letters in random case. They differ only in their case.
func (g *generator) anyCase(n int) string {
	text := []byte(strings.Repeat(alphabet[:26], 1+n/26)[:n])
	for i := range text {
		text[i] -= byte(g.IntN(2)) * ('a' - 'A')
	}
	return string(text)
}
