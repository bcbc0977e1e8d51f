package lint

import (
	"bytes"
	"strings"
)

// The drafts that Content-Usage is read by. They move: a finding names the one
// it rests on.
const (
	draftAttach = "draft-ietf-aipref-attach-05"
	draftVocab  = "draft-ietf-aipref-vocab-08"
)

var contentUsageEntries = []Entry{
	{
		Code: "RX512", Name: "content-usage-form", Severity: Warning,
		Title: "The value of a Content-Usage line is not a path and a Dictionary of preferences.",
		Why:   "A line is an optional path, which begins with a slash, a blank, and a Dictionary of Structured Fields (" + draftAttach + " section 3, RFC 9651 3.2), with the values y and n (" + draftVocab + " section 6). If one byte of the Dictionary is wrong, a capital letter in a key for instance, the whole line states no preference; any other value states none for its key, and of a repeated key the last value counts.",
		Bad:   "User-agent: *\nAllow: /\nContent-Usage: train-ai=no\n",
		Good:  "User-agent: *\nAllow: /\nContent-Usage: train-ai=n\nContent-Usage: /press/ train-ai=y\n",
	},
	{
		Code: "RX513", Name: "preference-label", Severity: Warning,
		Title: "A preference has a label that no specification defines, or no current one.",
		Why:   "Content-Usage knows train-ai, ai-use and search (" + draftVocab + " section 6.1); earlier drafts had others, which are still taught. Content-Signal knows search, ai-input and ai-train. Readers pass over labels that they do not know. One that was never defined is information: it may be an extension.",
		Bad:   "User-agent: *\nAllow: /\nContent-Usage: bots=y, train-ai=n\n",
		Good:  "User-agent: *\nAllow: /\nContent-Usage: train-ai=n\n",
	},
}

// usageLabels are the labels of draftVocab, and what each is about.
var usageLabels = map[string]use{"train-ai": useTraining, "ai-use": useInput, "search": useSearch}

// staleLabels are labels that Content-Usage never had or has no longer, and what
// to write now.
var staleLabels = map[string]string{
	"ai-train":    "the label of Content-Signal: here it is train-ai",
	"ai-input":    "the label of Content-Signal: here it is ai-use",
	"genai":       "a label of earlier drafts: now it is train-ai",
	"train-genai": "a label of earlier drafts: now it is train-ai",
	"ai":          "a label of earlier drafts: now there are train-ai and ai-use",
	"ai-output":   "a label of earlier drafts: now it is ai-use",
	"inference":   "a label of earlier drafts: now it is ai-use",
	"bots":        "a label of earlier drafts that has no successor: a Disallow says who may crawl",
	"tdm":         "a label of earlier drafts that has no successor",
	"all":         "a label of earlier drafts that has no successor",
}

// inspectContentUsage reads a line as attach section 3.2 does: path, blank,
// Dictionary.
func (x *extensions) inspectContentUsage(l *line) {
	path, text := cutPath(l.value())
	at := l.valueAt() + len(l.value()) - len(text)
	members, end, expected := readDictionary(text)
	switch {
	case len(text) == 0:
		x.findDraft(draftVocab, "RX512", l, l.keyAt(), l.keyAt()+len(l.key()), "the line states no preference: write train-ai=n for instance")
		return
	case expected != "":
		x.brokenDictionary(l, text, at, end, expected)
		return
	}
	// Of a repeated key RFC 9651 3.2 keeps the last value, so the others are lost.
	last := make(map[string]int, len(members))
	for i := range members {
		last[string(members[i].key)] = i
	}
	for i := range members {
		m := &members[i]
		if last[string(m.key)] == i {
			x.inspectUsage(l, m, at, string(path))
			continue
		}
		start := at + m.keyAt
		x.findDraft(draftVocab, "RX512", l, start, start+len(m.key), "%s is stated again further on, and only the last value counts", quote(m.key))
	}
}

// inspectUsage looks at one preference of a line.
func (x *extensions) inspectUsage(l *line, m *member, at int, path string) {
	key := at + m.keyAt
	about, known := usageLabels[string(m.key)]
	if !known {
		if why, stale := staleLabels[string(m.key)]; stale {
			x.findDraft(draftVocab, "RX513", l, key, key+len(m.key), "%s is %s", quote(m.key), why)
		} else {
			f := x.findDraft(draftVocab, "RX513", l, key, key+len(m.key), "no one defines %s: there are train-ai, ai-use and search", quote(m.key))
			x.soften(f, Info)
		}
		return
	}
	if _, ok := usageLabels[string(m.parameter)]; ok {
		x.usageAsParameter(l, m, at)
	}
	start, end := at+m.valueAt, at+m.valueAt+len(m.value)
	switch value := string(m.value); {
	case value == "y" || value == "n":
		x.prefer(l, path, about, value == "y", draftAttach, key, end)
	case m.value == nil:
		x.findDraft(draftVocab, "RX512", l, key, key+len(m.key), "%s has no value, which states no preference: write %s=n or %s=y", quote(m.key), m.key, m.key)
	default:
		f := x.findDraft(draftVocab, "RX512", l, start, end, "%s is not y or n, so that %s states no preference", quote(value), m.key)
		if grants, ok := affirms(value); ok {
			f.Fix = &Fix{Title: "write y or n", Edits: []Edit{{start, end, yesOrNo(grants, "y", "n")}}, Meaning: true}
		}
	}
}

// usageAsParameter finds a preference behind a semicolon instead of a comma.
func (x *extensions) usageAsParameter(l *line, m *member, at int) {
	start := at + m.parameterAt
	f := x.findDraft(draftVocab, "RX512", l, start, start+len(m.parameter), "behind a semicolon %s is a parameter of %s and states nothing: part preferences by commas", quote(m.parameter), m.key)
	if semicolon := bytes.LastIndexByte(x.body[:start], ';'); semicolon >= 0 {
		f.Fix = &Fix{Title: "write a comma", Edits: []Edit{{semicolon, semicolon + 1, ","}}, Meaning: true}
	}
}

// brokenDictionary finds the byte at which a Dictionary breaks. Capital letters
// can be mended: keys and values have none.
func (x *extensions) brokenDictionary(l *line, text []byte, at, end int, expected string) {
	width := min(1, len(text)-end)
	f := x.findDraft(draftAttach, "RX512", l, at+end, at+end+width, "%s should stand here: the line is no Dictionary (RFC 9651 3.2) and states no preference at all", expected)
	lower := bytes.ToLower(text)
	if _, _, wrong := readDictionary(lower); wrong == "" {
		f.Fix = &Fix{Title: "write it in lower case", Edits: []Edit{{at, at + len(text), string(lower)}}, Meaning: true}
		return
	}
	if spaced := strings.Join(strings.Fields(string(text)), ", "); end > 0 && !bytes.ContainsAny(text, `,;"(`) {
		if _, _, wrong := readDictionary([]byte(spaced)); wrong == "" {
			f.Fix = &Fix{Title: "part the preferences by commas", Edits: []Edit{{at, at + len(text), spaced}}, Meaning: true}
		}
	}
}

// cutPath cuts the path off a value that begins with one (attach section 3.2).
func cutPath(value []byte) (path, rest []byte) {
	if len(value) == 0 || value[0] != '/' {
		return nil, value
	}
	path, rest, _ = cutBlank(value)
	return path, rest
}

// affirms tells whether a value that is none of the vocabulary means yes or no;
// ok is false if it means neither.
func affirms(value string) (yes, ok bool) {
	switch strings.ToLower(strings.Trim(value, `"`)) {
	case "yes", "y", "true", "?1", "1", "allow", "allowed":
		return true, true
	case "no", "n", "false", "?0", "0", "disallow", "disallowed":
		return false, true
	}
	return false, false
}

// yesOrNo returns the text for a preference: the drafts write it differently.
func yesOrNo(yes bool, yesText, noText string) string {
	if yes {
		return yesText
	}
	return noText
}
