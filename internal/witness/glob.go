package witness

import "strings"

// glob is a pattern cut at its stars.
type glob struct {
	text string
	segs []string // literals, one more than there are stars
	end  bool     // a final '$', not part of segs
	side int      // bits: 1 first rule set, 2 second
}

func parse(text string) *glob {
	body, end := strings.CutSuffix(text, "$")
	return &glob{text: text, segs: strings.Split(body, "*"), end: end}
}

// wild reports whether the pattern has a star.
func (g *glob) wild() bool { return len(g.segs) > 1 }

// instance is the pattern with each star replaced, rooted. The function gets the
// literal that follows the star.
func (g *glob) instance(star func(next string) string) string {
	var b strings.Builder
	b.WriteString(g.segs[0])
	for _, seg := range g.segs[1:] {
		b.WriteString(star(seg))
		b.WriteString(seg)
	}
	return rooted(b.String())
}

// filled is the instance with the same text for each star.
func (g *glob) filled(text string) string {
	return g.instance(func(string) string { return text })
}

// match reports whether the pattern matches the path.
func (g *glob) match(path string) bool {
	rest, ok := strings.CutPrefix(path, g.segs[0])
	if !ok || !g.wild() {
		return ok && (rest == "" || !g.end)
	}
	last := len(g.segs) - 1
	for _, seg := range g.segs[1:last] {
		if _, rest, ok = strings.Cut(rest, seg); !ok {
			return false
		}
	}
	if g.end {
		return strings.HasSuffix(rest, g.segs[last])
	}
	return strings.Contains(rest, g.segs[last])
}

const upperHex = "0123456789ABCDEF"

// code is the percent code of a byte.
func code(c byte) string {
	return string([]byte{'%', upperHex[c>>4], upperHex[c&15]})
}

// normalize writes bytes from 0x80 up as percent codes and the hex digits of
// all codes in upper case.
func normalize(pattern string) string {
	return respell(pattern, func(c byte, coded bool) string {
		if coded || c >= 0x80 {
			return code(c)
		}
		return string(rune(c))
	})
}

// respell rewrites a text byte by byte, where a percent code counts as the
// byte that it stands for.
func respell(s string, spell func(c byte, coded bool) string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi >= 0 && lo >= 0 {
				b.WriteString(spell(byte(hi<<4|lo), true))
				i += 2
				continue
			}
		}
		b.WriteString(spell(s[i], false))
	}
	return b.String()
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
