package robotstxt

import "strings"

// pattern is a rule's path pattern, ready to be matched: text without the
// final '$' that anchors it, in the dialect's encoding.
type pattern struct {
	text     string
	wild     bool // text holds wildcards
	anchored bool // the path ends where the pattern does (G44)
}

// priority is the length in octets by which matching rules are compared: that
// of the encoded pattern, '*' and '$' counted (G49, RFC 9309 2.2.2).
func (p pattern) priority() int {
	if p.anchored {
		return len(p.text) + 1
	}
	return len(p.text)
}

// String returns the pattern as it is compared, with its final '$'.
func (p pattern) String() string {
	if p.anchored {
		return p.text + "$"
	}
	return p.text
}

// newPattern reads an encoded value.
func (r *reading) newPattern(encoded string) pattern {
	p := pattern{text: encoded}
	if r.wildcards {
		p.text, p.anchored = strings.CutSuffix(encoded, "$")
		p.wild = strings.IndexByte(p.text, '*') >= 0
	}
	return p
}

// appendPattern appends the value of a rule to dst in the dialect's encoding.
func (r *reading) appendPattern(dst []byte, value string) []byte {
	if r.wildcards && strings.HasSuffix(value, "$") {
		return append(r.rule.appendTo(dst, value[:len(value)-1]), '$')
	}
	return r.rule.appendTo(dst, value)
}

// patternLength returns how many bytes appendPattern appends.
func (r *reading) patternLength(value string) int {
	if r.wildcards && strings.HasSuffix(value, "$") {
		return r.rule.length(value[:len(value)-1]) + 1
	}
	return r.rule.length(value)
}

// folder returns the pattern that stands for "…/" alone if p, an Allow, ends in
// "/index.htm" and anything (G53).
func (p pattern) folder() (folder pattern, ok bool) {
	slash := strings.LastIndexByte(p.text, '/')
	if slash < 0 || !strings.HasPrefix(p.text[slash:], "/index.htm") {
		return pattern{}, false
	}
	folder = pattern{text: p.text[:slash+1], anchored: true}
	folder.wild = p.wild && strings.IndexByte(folder.text, '*') >= 0
	return folder, true
}

// matches reports whether the pattern matches a path from its start
// (G42–G46). Its time is linear in pattern and path: see matchWild.
func (p pattern) matches(path string) bool {
	switch {
	case p.wild:
		return matchWild(p.text, p.anchored, path)
	case p.anchored:
		return path == p.text
	default:
		return strings.HasPrefix(path, p.text)
	}
}

// matchWild matches a pattern that holds a star. What stands before the first
// star must open the path; if anchored, what stands behind the last star must
// end it; each text between is taken where it is first found, behind the one
// before. Taking the first place is enough, because it leaves the most for the
// texts to come; so nothing is ever tried twice, whereas Google's parser keeps
// all positions that could match so far (G47), which gives the same answers.
func matchWild(text string, anchored bool, path string) bool {
	star := strings.IndexByte(text, '*')
	if !strings.HasPrefix(path, text[:star]) {
		return false
	}
	path, text = path[star:], text[star+1:]
	if anchored {
		tail := text[strings.LastIndexByte(text, '*')+1:]
		if !strings.HasSuffix(path, tail) {
			return false
		}
		path, text = path[:len(path)-len(tail)], text[:len(text)-len(tail)]
	}
	for i := 0; i < len(text); {
		if text[i] == '*' {
			i++ // of a run of stars, one is enough
			continue
		}
		end := i + 1
		for end < len(text) && text[end] != '*' {
			end++
		}
		found := strings.Index(path, text[i:end])
		if found < 0 {
			return false
		}
		path = path[found+end-i:]
		i = end
	}
	return true
}
