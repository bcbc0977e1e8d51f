package enginetest

import (
	"bytes"
	"slices"
)

// This file is the oracle: a second implementation of the protocol in three dialects,
// written only from the texts, one clause after the other, without regard for speed.
// It shares no code with the engine. Keep it simple: a reader must be able to check
// each line by comparing it with the clause in its comment.
//
// G1 to G69 are the numbered behaviours of Google's parser. "Table" is the first
// table of docs/disagreements.md. "Koster 3.2.2" is a section of the draft of
// November 1996, and "RFC 9309 2.2.2" a section of RFC 9309.

// referenceAnswer is the oracle's answer for one URL.
type referenceAnswer struct {
	allowed bool
	line    int    // the deciding line (G54), 0 if none
	path    string // the path as compared, see reference
}

// referenceLine is the oracle's description of one line of a file.
type referenceLine struct {
	number int    // from 1 (G8)
	start  int    // offset of the raw line
	end    int    // offset after its terminator; the BOM belongs to line 1
	kind   string // user-agent, allow, disallow, sitemap, unused, unknown, comment, empty, no-directive

	key     []byte // as written, trimmed (G12); nil if there is no directive
	value   []byte // as written, trimmed (G12), not yet normalised (G22); nil if there is no directive
	comment []byte // what follows the "#", untrimmed, of what G9 and G10 leave; nil if there is no "#"

	typo         bool // G21
	missingColon bool // G15, G64
	tooLong      bool // G9
	nulCut       bool // G10
}

// reference answers for the first of agents that the file names, else for "*".
//
// The path of the answer is the path of the URL (google), its canonical form
// (rfc9309), or its decoded octets, where "%2F" is an encoded slash (koster1996).
func reference(dialect string, body []byte, agents []string, url string) referenceAnswer {
	lines := referenceLines(body)
	groups := refGroups(dialect, lines)

	// G31: an empty list means "*".
	tokens := append([]string{}, agents...)
	if len(tokens) == 0 {
		tokens = append(tokens, "*")
	}

	// Table: the first token, in order, that an agent line names decides.
	// An explicit "*" is named if there is a global agent line.
	for _, agent := range tokens {
		if refFileNames(dialect, lines, agent) {
			return refJudge(dialect, refRulesFor(dialect, groups, agent), url)
		}
	}

	// Table: else "*" (Koster 3.2.1: "the default record").
	return refJudge(dialect, refRulesFor(dialect, groups, "*"), url)
}

// referenceNamed is reference without the fallback to "*" (G55). It ignores "*" in
// agents, which is never specific (G31).
func referenceNamed(dialect string, body []byte, agents []string, url string) referenceAnswer {
	lines := referenceLines(body)
	groups := refGroups(dialect, lines)

	for _, agent := range agents {
		if agent == "*" {
			continue
		}
		if refFileNames(dialect, lines, agent) {
			return refJudge(dialect, refRulesFor(dialect, groups, agent), url)
		}
	}

	// G55: disallowed only if specific rules say so, and there are none.
	return refJudge(dialect, []refRule{}, url)
}

// ---- A. Bytes to lines ----

// referenceLines splits body and parses every line of it.
func referenceLines(body []byte) []referenceLine {
	lines := []referenceLine{}

	bom := []byte{0xEF, 0xBB, 0xBF}
	bomPossible := true // G3: until a byte breaks the sequence
	bomSeen := 0

	kept := []byte{} // the current line without BOM and terminator, at most refCap bytes
	tooLong := false // a byte of the current line was discarded
	start := 0       // where the current line starts
	count := 0       // bytes of the current line, BOM not counted
	lastByteCR := false

	for i := 0; i < len(body); i++ {
		b := body[i]

		// G3: at offset 0 only, the longest prefix of EF BB BF is dropped.
		if bomPossible {
			if bomSeen < 3 && b == bom[bomSeen] {
				bomSeen++
				continue
			}
			bomPossible = false
		}

		// G6, G7: an LF directly after a CR belongs to that CR.
		if b == '\n' && lastByteCR {
			lines[len(lines)-1].end = i + 1
			start = i + 1
			lastByteCR = false
			continue
		}

		// G6: CR and LF end a line, nothing else does.
		if b == '\n' || b == '\r' {
			lines = append(lines, refLine(len(lines)+1, start, i+1, kept, tooLong))
			kept = []byte{}
			tooLong = false
			count = 0
			start = i + 1
			lastByteCR = b == '\r'
			continue
		}

		// G9: the first 16,663 bytes are kept, the rest is discarded.
		lastByteCR = false
		count++
		if count <= refCap {
			kept = append(kept, b)
		} else {
			tooLong = true
		}
	}

	// G8: whatever follows the last terminator is a line too, even if empty.
	lines = append(lines, refLine(len(lines)+1, start, len(body), kept, tooLong))
	return lines
}

// G9: 2083*8 - 1 bytes.
const refCap = 16663

// ---- B. Line to key and value ----

func refLine(number, start, end int, kept []byte, tooLong bool) referenceLine {
	line := referenceLine{number: number, start: start, end: end, tooLong: tooLong}

	// G10: a NUL hides the rest of its line (after the cap).
	text, _, nul := bytes.Cut(kept, []byte{0})
	line.nulCut = nul

	// G11: the first "#" cuts the line.
	text, comment, hash := bytes.Cut(text, []byte("#"))
	if hash {
		line.comment = comment
	}

	// G12: the line is trimmed.
	text = refTrim(text)

	// G13: nothing left.
	if len(text) == 0 {
		line.kind = "empty"
		if hash {
			line.kind = "comment"
		}
		return line
	}

	// G14: the separator is the first ":".
	key, value, colon := bytes.Cut(text, []byte(":"))
	if !colon {
		// G15: exactly two words, separated by blanks (space and tab, not \v and \f).
		words := bytes.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == '\t' })
		if len(words) != 2 {
			line.kind = "no-directive"
			return line
		}
		key, value = words[0], words[1]
	}

	// G12: then the key, then the value are trimmed.
	key = refTrim(key)
	value = refTrim(value)

	// G17: an empty key is not a directive.
	if len(key) == 0 {
		line.kind = "no-directive"
		return line
	}

	// G64: set when blanks separated, whatever the key.
	line.missingColon = !colon
	line.key = key
	line.value = value
	line.kind, line.typo = refKind(key)
	return line
}

// ---- C. Which key ----

// refKind names the kind of a key and says whether it is a misspelling (G21).
func refKind(key []byte) (kind string, typo bool) {
	// G19: a prefix test, in this order. G21: the alternative spellings.
	table := []struct {
		spelling string
		kind     string
		typo     bool
	}{
		{"user-agent", "user-agent", false},
		{"useragent", "user-agent", true},
		{"user agent", "user-agent", true},
		{"allow", "allow", false},
		{"disallow", "disallow", false},
		{"dissallow", "disallow", true},
		{"dissalow", "disallow", true},
		{"disalow", "disallow", true},
		{"diasllow", "disallow", true},
		{"disallaw", "disallow", true},
		{"sitemap", "sitemap", false},
		{"site-map", "sitemap", true},
	}
	for _, row := range table {
		if len(key) < len(row.spelling) {
			continue
		}
		// G18: ASCII case-insensitive only.
		if refEqualFold(string(key[:len(row.spelling)]), row.spelling) {
			return row.kind, row.typo
		}
	}

	// G65: in full, lower-cased.
	unused := []string{
		"clean-param", "content-signal", "content-usage", "crawl-delay",
		"domain", "host", "noarchive", "nofollow", "noindex", "request-rate",
		"revisit-after", "visit-time",
	}
	for _, name := range unused {
		if refEqualFold(string(key), name) {
			return "unused", false
		}
	}
	return "unknown", false
}

// ---- D. Values ----

// refNormalise is G22: bytes >= 0x80 become %XX, the hex digits of each valid
// %hh become upper-case. G23: nothing is decoded, a stray "%" stays.
func refNormalise(value []byte) []byte {
	out := []byte{}
	i := 0
	for i < len(value) {
		b := value[i]
		if refIsEscape(value, i) {
			out = append(out, '%')
			out = append(out, refUpper(value[i+1]))
			out = append(out, refUpper(value[i+2]))
			i = i + 3
			continue
		}
		if b >= 0x80 {
			out = refAppendCoded(out, b)
			i = i + 1
			continue
		}
		out = append(out, b)
		i = i + 1
	}
	return out
}

// ---- E. Agent lines ----

// refIsGlobal is G25: "*" alone, or "*" followed by WS6 and anything.
func refIsGlobal(value []byte) bool {
	after, star := bytes.CutPrefix(value, []byte("*"))
	return star && (len(after) == 0 || bytes.IndexByte([]byte(refWS6), after[0]) >= 0)
}

// refLineNames says whether an agent line with this value names agent.
func refLineNames(dialect string, value []byte, agent string) bool {
	// Table: G25 is tested before anything is cut.
	if refIsGlobal(value) {
		return agent == "*"
	}
	if agent == "*" {
		// G31: "*" selects only the global rules.
		return false
	}

	var token []byte
	switch dialect {
	case "google":
		token = refTokenGoogle(value)
	case "rfc9309":
		token = refTokenRFC(value)
		// Table: one final "*" is dropped ("googlebot*").
		token = bytes.TrimSuffix(token, []byte("*"))
		// Table: "**" and other tokens of stars match no crawler.
		if refOnlyStars(token) {
			return false
		}
	case "koster1996":
		token = refTokenKoster(value)
		// Table: "**" and other tokens of stars match no crawler.
		if refOnlyStars(token) {
			return false
		}
	default:
		panic("no such dialect: " + dialect)
	}

	// G26, RFC 9309 2.2.1, Koster 3.2.1: equality, ASCII case-insensitive.
	// G27: the queried token is compared unchanged. G29: "" equals "".
	return refEqualFold(string(token), agent)
}

// refTokenGoogle is G26: the longest prefix in [A-Za-z_-].
func refTokenGoogle(value []byte) []byte {
	letters := "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-"
	return value[:len(value)-len(bytes.TrimLeft(value, letters))]
}

// refTokenRFC is the table's "the value up to the first blank or /".
func refTokenRFC(value []byte) []byte {
	if end := bytes.IndexAny(value, " \t/"); end >= 0 {
		return value[:end]
	}
	return value
}

// refTokenKoster is Koster 3.3: token = 1*<any CHAR except CTLs or tspecials>,
// where CHAR is an octet from 0 to 127.
func refTokenKoster(value []byte) []byte {
	tspecials := []byte("()<>@,;:\\\"/[]?={} \t")
	for i, b := range value {
		if b > 127 || // not a CHAR
			b <= 31 || b == 127 || // CTL
			bytes.IndexByte(tspecials, b) >= 0 {
			return value[:i]
		}
	}
	return value
}

func refOnlyStars(token []byte) bool {
	return len(token) > 0 && len(bytes.Trim(token, "*")) == 0
}

// refFileNames says whether any agent line of the file names agent (G40).
func refFileNames(dialect string, lines []referenceLine, agent string) bool {
	for _, line := range lines {
		if line.kind == "user-agent" && refLineNames(dialect, line.value, agent) {
			return true
		}
	}
	return false
}

// ---- F. Groups ----

type refRule struct {
	line  int
	allow bool
	value []byte // as written
}

type refGroup struct {
	agents [][]byte // values of the agent lines, as written
	rules  []refRule
	lines  []int // the numbers of its lines with an unused or unknown key
}

func (g refGroup) names(dialect, agent string) bool {
	for _, value := range g.agents {
		if refLineNames(dialect, value, agent) {
			return true
		}
	}
	return false
}

func refGroups(dialect string, lines []referenceLine) []refGroup {
	switch dialect {
	case "google", "rfc9309":
		return refGroupsGoogle(lines)
	case "koster1996":
		return refGroupsKoster(lines)
	default:
		panic("no such dialect: " + dialect)
	}
}

// refGroupsGoogle is G34 to G37; the table gives RFC9309 the same groups.
func refGroupsGoogle(lines []referenceLine) []refGroup {
	groups := []refGroup{}
	for _, line := range lines {
		switch line.kind {
		case "user-agent":
			// G36: the first agent line after a rule starts a new group.
			if len(groups) == 0 || len(groups[len(groups)-1].rules) > 0 {
				groups = append(groups, refGroup{})
			}
			last := &groups[len(groups)-1]
			last.agents = append(last.agents, line.value)
		case "allow", "disallow":
			// G37: rules before any agent line are ignored.
			if len(groups) == 0 {
				continue
			}
			// G34: also with an empty value.
			last := &groups[len(groups)-1]
			last.rules = append(last.rules, refRule{line.number, line.kind == "allow", line.value})
		case "unused", "unknown":
			// G34, G35: no other line ends a run of agent lines.
			if len(groups) > 0 {
				last := &groups[len(groups)-1]
				last.lines = append(last.lines, line.number)
			}
		}
	}
	return groups
}

// refGroupsKoster is Koster 3.2 and 3.3: records, separated by blank lines.
func refGroupsKoster(lines []referenceLine) []refGroup {
	groups := []refGroup{}
	open := false     // whether the next line may belong to the last record
	followed := false // whether its agent lines were followed by an Allow or Disallow line
	for _, line := range lines {
		switch line.kind {
		case "empty":
			// Table: a record ends at an empty line; a comment line does not end it.
			open = false
		case "user-agent":
			// Koster 3.2: the agent lines come first in a record, "followed by
			// Disallow and Allow instructions". 3.3: records may follow one
			// another without a blank line ("1*record").
			if !open || followed {
				groups = append(groups, refGroup{})
				open = true
				followed = false
			}
			last := &groups[len(groups)-1]
			last.agents = append(last.agents, line.value)
		case "allow", "disallow":
			// Table: rules without an agent line are orphans.
			if !open {
				continue
			}
			// Koster 3.2: a line with that field is a Disallow (or Allow) line,
			// whatever its value, so no more agent lines follow in the record.
			followed = true
			// Koster 3.3: there is no empty path, so an empty one is no rule.
			if len(line.value) == 0 {
				continue
			}
			last := &groups[len(groups)-1]
			last.rules = append(last.rules, refRule{line.number, line.kind == "allow", line.value})
		case "unused", "unknown":
			// Table: other lines end nothing.
			if open {
				last := &groups[len(groups)-1]
				last.lines = append(last.lines, line.number)
			}
		}
	}
	return groups
}

// refRulesFor collects the rules for one agent, in file order.
func refRulesFor(dialect string, groups []refGroup, agent string) []refRule {
	rules := []refRule{}
	for _, group := range groups {
		if !group.names(dialect, agent) {
			continue
		}
		rules = append(rules, group.rules...)
		// Table: only the first record that names the agent, without merging.
		if dialect == "koster1996" {
			break
		}
		// G38, RFC 9309 2.2.1: all groups that name the agent are merged.
	}
	return rules
}

// ---- G and H. Pattern against path, decision ----

func refJudge(dialect string, rules []refRule, url string) referenceAnswer {
	path := refPath(url)
	switch dialect {
	case "google":
		return refJudgeGoogle(rules, path)
	case "rfc9309":
		return refJudgeRFC(rules, path)
	case "koster1996":
		return refJudgeKoster(rules, path)
	default:
		panic("no such dialect: " + dialect)
	}
}

func refJudgeGoogle(rules []refRule, path []byte) referenceAnswer {
	matches := []refFound{}
	for _, rule := range rules {
		// G22: the rule is normalised. G48: the URL is not.
		pattern := refNormalise(rule.value)
		if refMatch(pattern, path) {
			matches = append(matches, refFound{rule.line, rule.allow, len(pattern)}) // G49
			continue
		}
		// G53: for Allow only, if the pattern itself does not match.
		if !rule.allow {
			continue
		}
		slash := bytes.LastIndexByte(pattern, '/')
		if slash < 0 || !bytes.HasPrefix(pattern[slash:], []byte("/index.htm")) {
			continue
		}
		shorter := append(bytes.Clone(pattern[:slash+1]), '$')
		if refMatch(shorter, path) {
			matches = append(matches, refFound{rule.line, true, len(shorter)})
		}
	}
	return refDecide(matches, path)
}

func refJudgeRFC(rules []refRule, path []byte) referenceAnswer {
	canonical := refCanonical(path, false)

	// Table, RFC 9309 2.2.2: exactly /robots.txt is always allowed.
	if string(canonical) == "/robots.txt" {
		return referenceAnswer{true, 0, string(canonical)}
	}

	matches := []refFound{}
	for _, rule := range rules {
		// Table: both sides in canonical form, whose octets are counted.
		pattern := refCanonical(rule.value, true)
		if refMatchRFC(pattern, canonical) {
			matches = append(matches, refFound{rule.line, rule.allow, len(pattern)})
		}
	}
	return refDecide(matches, canonical)
}

func refJudgeKoster(rules []refRule, path []byte) referenceAnswer {
	// Koster 3.2.2: "every octet in the path portion of the URL". By RFC 1738,
	// which Koster 3.1 cites for URLs, a "?" ends the path ("hpath"); what
	// follows is the searchpart. A ";" is part of it.
	path, _, _ = bytes.Cut(path, []byte("?"))
	symbols := refSymbols(path)
	for _, rule := range rules {
		// Koster 3.2.2: "in the order they occur in the record. The first
		// match found is used."
		if refSymbolsMatch(refSymbols(rule.value), symbols) {
			return referenceAnswer{rule.allow, rule.line, refSymbolsText(symbols)}
		}
	}
	// Table: no match, allowed.
	return referenceAnswer{true, 0, refSymbolsText(symbols)}
}

type refFound struct {
	line     int
	allow    bool
	priority int
}

// refDecide is G50 to G52 and G54 on the rules that match, in file order.
func refDecide(matches []refFound, path []byte) referenceAnswer {
	allowPriority, allowLine := -1, 0
	disallowPriority, disallowLine := -1, 0
	for _, match := range matches {
		// G54: among equal-length rules of one kind the first.
		if match.allow && match.priority > allowPriority {
			allowPriority, allowLine = match.priority, match.line
		}
		if !match.allow && match.priority > disallowPriority {
			disallowPriority, disallowLine = match.priority, match.line
		}
	}

	answer := referenceAnswer{path: string(path)}

	// G52: no match, allowed. G51: priority 0 decides nothing.
	// G50: disallowed only if Disallow is strictly longer.
	answer.allowed = true
	if disallowPriority > 0 && disallowPriority > allowPriority {
		answer.allowed = false
	}

	// G54: the better of the two, Allow's line on a tie, 0 if none.
	answer.line = allowLine
	if disallowPriority > allowPriority {
		answer.line = disallowLine
	}
	return answer
}

// refMatch is G42 to G45 by G47's set of positions: after each byte of the
// pattern, the places in the path where the text matched so far may end.
func refMatch(pattern, path []byte) bool {
	positions := []int{0} // G42: anchored at the start

	for i := 0; i < len(pattern); i++ {
		next := []int{}
		switch {
		case pattern[i] == '$' && i == len(pattern)-1:
			// G44: "$" anchors only as the very last byte.
			if slices.Contains(positions, len(path)) {
				next = append(next, len(path))
			}
		case pattern[i] == '*':
			next = refAnyFrom(positions, len(path)) // G43
		default:
			// G45: everything else is a literal.
			for _, p := range positions {
				if p < len(path) && path[p] == pattern[i] {
					next = append(next, p+1)
				}
			}
		}
		positions = next
	}

	// G42: the pattern may match a prefix of the path.
	return len(positions) > 0
}

// refAnyFrom is "*" after the positions: any bytes, none included.
func refAnyFrom(positions []int, end int) []int {
	next := []int{}
	if len(positions) > 0 {
		for p := slices.Min(positions); p <= end; p++ {
			next = append(next, p)
		}
	}
	return next
}

// refQuerySlash is the symbol for a slash of a query, which differs from every octet.
const refQuerySlash = 257

// refMatchRFC is refMatch for canonical paths and patterns. A slash of the query is one
// symbol there, however it is written. A rule says which slash it means if it has no star
// or a "?" before it; otherwise it may be in the query or not, so both "/" and "%2F" match
// a slash of the query there (a reading). Before a star and a "?" no slash of a query can
// be compared, and after a "?" no other one, so the rule is the same everywhere.
func refMatchRFC(pattern, canonical []byte) bool {
	path := []int{}
	query := false
	i := 0
	for i < len(canonical) {
		if query && bytes.HasPrefix(canonical[i:], []byte("%2F")) {
			path = append(path, refQuerySlash)
			i = i + 3
			continue
		}
		if canonical[i] == '?' {
			query = true
		}
		path = append(path, int(canonical[i]))
		i = i + 1
	}

	positions := []int{0}
	i = 0
	for i < len(pattern) {
		next := []int{}
		width := 1
		switch {
		case pattern[i] == '$' && i == len(pattern)-1:
			if slices.Contains(positions, len(path)) {
				next = append(next, len(path))
			}
		case pattern[i] == '*':
			next = refAnyFrom(positions, len(path))
		case pattern[i] == '/':
			for _, p := range positions {
				if p < len(path) && (path[p] == '/' || path[p] == refQuerySlash) {
					next = append(next, p+1)
				}
			}
		case bytes.HasPrefix(pattern[i:], []byte("%2F")):
			width = 3
			for _, p := range positions {
				if p < len(path) && path[p] == refQuerySlash {
					next = append(next, p+1)
				}
				if p+3 <= len(path) && path[p] == '%' && path[p+1] == '2' && path[p+2] == 'F' {
					next = append(next, p+3)
				}
			}
		default:
			for _, p := range positions {
				if p < len(path) && path[p] == int(pattern[i]) {
					next = append(next, p+1)
				}
			}
		}
		positions = next
		i = i + width
	}
	return len(positions) > 0
}

// refCanonical is RFC 9309 2.2.2 and 2.2.3, octet by octet.
func refCanonical(text []byte, isRule bool) []byte {
	out := []byte{}
	query := false // whether a "?" came before
	i := 0
	for i < len(text) {
		b := text[i]

		if refIsEscape(text, i) {
			octet := refHexValue(text[i+1])*16 + refHexValue(text[i+2])
			i = i + 3
			switch {
			case refIsUnreserved(octet):
				// 2.2.2: a percent-encoded octet "MUST be unencoded", unless it
				// is reserved or outside the unreserved range.
				out = append(out, octet)
			default:
				out = refAppendCoded(out, octet)
			}
			continue
		}

		switch {
		case refIsUnreserved(b):
			out = append(out, b)
		case b == '/' && query:
			// Table of 2.2.2: "//" in a query equals "%2F%2F".
			out = refAppendCoded(out, b)
		case b == '/' || b == '?' || b == '=':
			// Table of 2.2.2: these are the same in path and encoded path.
			out = append(out, b)
			query = query || b == '?'
		case b == '&':
			// It delimits the query's parts as "=" does (a reading).
			out = append(out, b)
		case b == '*' && isRule:
			// 2.2.3: any characters.
			out = append(out, b)
		case b == '$' && isRule && i == len(text)-1:
			// 2.2.3: the end of the pattern.
			out = append(out, b)
		default:
			// 2.2.2: octets outside US-ASCII and reserved ones "MUST be
			// percent-encoded". RFC 3986 has the rest, such as a blank, a quote
			// or a stray "%", in no other form. 2.2.3: so are "*" and "$" that
			// are meant verbatim.
			out = refAppendCoded(out, b)
		}
		i = i + 1
	}
	return out
}

// refIsUnreserved is RFC 3986 2.3.
func refIsUnreserved(b byte) bool {
	switch {
	case b >= 'A' && b <= 'Z', b >= 'a' && b <= 'z', b >= '0' && b <= '9':
		return true
	case b == '-', b == '.', b == '_', b == '~':
		return true
	}
	return false
}

// refCodedSlash is the symbol for %2F, which differs from every octet.
const refCodedSlash = 256

// refSymbols is Koster 3.2.2: "If a %xx encoded octet is encountered it is
// unencoded prior to comparison, unless it is the "/" character".
func refSymbols(text []byte) []int {
	symbols := []int{}
	i := 0
	for i < len(text) {
		if refIsEscape(text, i) {
			octet := refHexValue(text[i+1])*16 + refHexValue(text[i+2])
			if octet == '/' {
				symbols = append(symbols, refCodedSlash)
			} else {
				symbols = append(symbols, int(octet))
			}
			i = i + 3
			continue
		}
		// A stray "%" is itself.
		symbols = append(symbols, int(text[i]))
		i = i + 1
	}
	return symbols
}

// refSymbolsMatch is Koster 3.2.2: "if and only if the end of the path from the
// record is reached before a difference in octets is encountered".
func refSymbolsMatch(record, path []int) bool {
	return len(record) <= len(path) && slices.Equal(record, path[:len(record)])
}

func refSymbolsText(symbols []int) string {
	out := []byte{}
	for _, symbol := range symbols {
		if symbol == refCodedSlash {
			out = append(out, '%', '2', 'F')
			continue
		}
		out = append(out, byte(symbol))
	}
	return string(out)
}

// ---- I. URL to path ----

func refPath(url string) []byte {
	text := []byte(url)

	// G58: a leading "//" is skipped.
	text = bytes.TrimPrefix(text, []byte("//"))

	// G58: E is the first of / ? ; and S the first ://.
	e := bytes.IndexAny(text, "/?;")
	s := bytes.Index(text, []byte("://"))

	// G58: if E comes before S, S is ignored. Start after S if any.
	begin := 0
	if s >= 0 && !(e >= 0 && e < s) {
		begin = s + 3
	}

	// G59: the path starts at the first / ? ; from there; none: "/".
	start := bytes.IndexAny(text[begin:], "/?;")
	if start < 0 {
		return []byte("/")
	}
	start = start + begin

	// G60: the first "#" after the skipped "//" ends the path. If it is before the path
	// start, the result is "/".
	if bytes.IndexByte(text[:start], '#') >= 0 {
		return []byte("/")
	}
	path, _, _ := bytes.Cut(text[start:], []byte("#"))

	// G59: if it starts with ? or ; a "/" is put in front.
	if path[0] != '/' {
		path = append([]byte("/"), path...)
	}

	// G62: a NUL in the path cuts it. G61: everything else stays.
	path, _, _ = bytes.Cut(path, []byte{0})
	return path
}

// ---- Bytes ----

// refWS6 is the notation's WS6.
const refWS6 = " \t\n\v\f\r"

// refTrim is G12's trimming.
func refTrim(text []byte) []byte { return bytes.Trim(text, refWS6) }

func refLower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b - 'A' + 'a'
	}
	return b
}

func refUpper(b byte) byte {
	if b >= 'a' && b <= 'z' {
		return b - 'a' + 'A'
	}
	return b
}

func refEqualFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if refLower(a[i]) != refLower(b[i]) {
			return false
		}
	}
	return true
}

func refIsHex(b byte) bool {
	return (b >= '0' && b <= '9') || (b >= 'A' && b <= 'F') || (b >= 'a' && b <= 'f')
}

func refHexValue(b byte) byte {
	if b >= '0' && b <= '9' {
		return b - '0'
	}
	return refUpper(b) - 'A' + 10
}

// refIsEscape reports whether there is a valid %hh at i.
func refIsEscape(text []byte, i int) bool {
	return i+2 < len(text) && text[i] == '%' && refIsHex(text[i+1]) && refIsHex(text[i+2])
}

func refAppendCoded(out []byte, b byte) []byte {
	digits := "0123456789ABCDEF"
	out = append(out, '%')
	out = append(out, digits[b/16])
	out = append(out, digits[b%16])
	return out
}

// ---- The oracle itself is checked by hand ----
