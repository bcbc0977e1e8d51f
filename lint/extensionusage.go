package lint

import (
	"bytes"
	"strings"
)

// draftSignals is the draft of Cloudflare's signals. It moves, as those of
// Content-Usage do.
const draftSignals = "draft-romm-aipref-contentsignals-00"

// signalLabels are Cloudflare's signals, and what each is about.
var signalLabels = map[string]use{"ai-train": useTraining, "ai-input": useInput, "search": useSearch}

// staleSignals are labels that Content-Signal does not have, and what to write.
var staleSignals = map[string]string{
	"train-ai":  "the label of Content-Usage: here it is ai-train",
	"ai-use":    "the label of Content-Usage: here it is ai-input",
	"search-ai": "taught by some pages and defined by none: ai-input is about AI answers",
	"ai-search": "taught by some pages and defined by none: ai-input is about AI answers",
	"ai":        "defined by none: there are ai-input and ai-train",
}

// signalUses are the values of the signal use, which Cloudflare has been testing
// since August 2026.
var signalUses = map[string]bool{"immediate": true, "reference": true, "full": true}

var rxContentSignalForm = &check{Entry{
	Code: "RX511", Name: "content-signal-form", Severity: Warning,
	Title: "The value of a Content-Signal line is not a list of signals.",
	Why:   "Cloudflare's Content Signals Policy of September 2025 knows three signals, search, ai-input and ai-train, with the values yes and no, parted by commas (" + draftSignals + ", expired in April 2026). What is not stated is neither granted nor refused. A path in front of the signals is in no draft, so that some readers take it for part of the first signal: it is information.",
	Bad:   "User-agent: *\nContent-Signal: search=y, ai-train=no\nAllow: /\n",
	Good:  "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n",
}}

// inspectContentSignal reads a list of signals. No text has a grammar for it, so
// blanks around commas and equal signs pass.
func (x *extensions) inspectContentSignal(l *line, key string) {
	if key == "content-signals" {
		f := x.findDraft(draftSignals, rxContentSignalForm, l, l.keyAt(), l.keyAt()+len(l.key()), "%s is not what the line is called: write Content-Signal", quote(l.key()))
		f.Fix = &Fix{Title: "write Content-Signal", Edits: l.replaceKey("Content-Signal"), Meaning: true}
	}
	path, text := cutPath(l.value())
	if path != nil {
		f := x.findDraft(draftSignals, rxContentSignalForm, l, l.valueAt(), l.valueAt()+len(path), "the draft knows no path such as %s, so that not every reader takes it for one", quote(path))
		x.soften(f, Info)
	}
	at := l.valueAt() + len(l.value()) - len(text)
	if len(text) == 0 {
		x.findDraft(draftSignals, rxContentSignalForm, l, l.keyAt(), l.keyAt()+len(l.key()), "the line states no signal: write search=yes, ai-train=no for instance")
		return
	}
	if x.unparted(l, text, at) {
		return
	}
	for item := range bytes.SplitSeq(text, []byte(",")) {
		signal := bytes.Trim(item, " \t")
		x.inspectSignal(l, signal, at+bytes.Index(item, signal), string(path))
		at += len(item) + 1
	}
}

// unparted finds signals with something else than a comma between them.
func (x *extensions) unparted(l *line, text []byte, at int) bool {
	parted := strings.Join(strings.FieldsFunc(string(text), func(r rune) bool { return strings.ContainsRune(" \t,;|", r) }), ", ")
	if n := strings.Count(parted, ", "); n <= bytes.Count(text, []byte(",")) || n != strings.Count(parted, "=")-1 {
		return false
	}
	f := x.findDraft(draftSignals, rxContentSignalForm, l, at, at+len(text), "the signals %s are not parted by commas", quote(text))
	f.Fix = &Fix{Title: "separate them with commas", Edits: []Edit{{at, at + len(text), parted}}, Meaning: true}
	return true
}

// inspectSignal looks at one signal, which begins at that offset.
func (x *extensions) inspectSignal(l *line, signal []byte, at int, path string) {
	key, value, ok := bytes.Cut(signal, []byte("="))
	if !ok {
		x.findDraft(draftSignals, rxContentSignalForm, l, at, at+len(signal), "%s is no signal: write search=yes for instance", quote(signal))
		return
	}
	end := at + len(signal)
	start := end - len(bytes.TrimLeft(value, " \t"))
	value = value[len(value)-(end-start):]
	key = bytes.TrimRight(key, " \t")
	lower := strings.ToLower(string(key))
	about, known := signalLabels[lower]
	switch {
	case lower == "use" && signalUses[string(value)]:
	case !known:
		x.unknownSignal(l, lower, at, at+len(key))
	case lower != string(key):
		f := x.findDraft(draftSignals, rxContentSignalForm, l, at, at+len(key), "signals are in lower case: write %s", str(lower))
		f.Fix = &Fix{Title: "write it in lower case", Edits: []Edit{{at, at + len(key), lower}}, Meaning: true}
	case string(value) == "yes" || string(value) == "no":
		x.prefer(l, path, about, value[0] == 'y', draftSignals, at, end)
	default:
		f := x.findDraft(draftSignals, rxContentSignalForm, l, start, end, "%s is neither yes nor no, so that %s states nothing", quote(value), str(lower))
		if grants, ok := affirms(string(value)); ok {
			f.Fix = &Fix{Title: "write yes or no", Edits: []Edit{{start, end, yesOrNo(grants, "yes", "no")}}, Meaning: true}
		}
	}
}

var rxPreferenceLabel = &check{Entry{
	Code: "RX513", Name: "preference-label", Severity: Warning,
	Title: "A preference has a label that no specification defines, or no current one.",
	Why:   "Content-Usage knows train-ai, ai-use and search (" + draftVocab + " section 6.1); earlier drafts had others, which are still taught. Content-Signal knows search, ai-input and ai-train. Readers pass over labels that they do not know. One that was never defined is information: it may be an extension.",
	Bad:   "User-agent: *\nAllow: /\nContent-Usage: bots=y, train-ai=n\n",
	Good:  "User-agent: *\nAllow: /\nContent-Usage: train-ai=n\n",
}}

// unknownSignal finds a label that Cloudflare's policy does not have.
func (x *extensions) unknownSignal(l *line, label string, start, end int) {
	if why, stale := staleSignals[label]; stale {
		x.findDraft(draftSignals, rxPreferenceLabel, l, start, end, "%s is %s", quoteText(label), str(why))
		return
	}
	f := x.findDraft(draftSignals, rxPreferenceLabel, l, start, end, "no one defines the signal %s: there are search, ai-input and ai-train", quoteText(label))
	x.soften(f, Info)
}

// The drafts that Content-Usage is read by. They move: a finding names the one
// it rests on.
const (
	draftAttach = "draft-ietf-aipref-attach-05"
	draftVocab  = "draft-ietf-aipref-vocab-08"
)

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

var rxContentUsageForm = &check{Entry{
	Code: "RX512", Name: "content-usage-form", Severity: Warning,
	Title: "The value of a Content-Usage line is not a path and a Dictionary of preferences.",
	Why:   "A line is an optional path, which begins with a slash, a blank, and a Dictionary of Structured Fields (" + draftAttach + " section 3, RFC 9651 3.2), with the values y and n (" + draftVocab + " section 6). If one byte of the Dictionary is wrong, a capital letter in a key for instance, the whole line states no preference; any other value states none for its key, and of a repeated key the last value counts.",
	Bad:   "User-agent: *\nAllow: /\nContent-Usage: train-ai=no\n",
	Good:  "User-agent: *\nAllow: /\nContent-Usage: train-ai=n\nContent-Usage: /press/ train-ai=y\n",
}}

// inspectContentUsage reads a line as attach section 3.2 does: path, blank,
// Dictionary.
func (x *extensions) inspectContentUsage(l *line) {
	path, text := cutPath(l.value())
	at := l.valueAt() + len(l.value()) - len(text)
	members, end, expected := readDictionary(text)
	switch {
	case len(text) == 0:
		x.findDraft(draftVocab, rxContentUsageForm, l, l.keyAt(), l.keyAt()+len(l.key()), "the line states no preference: write train-ai=n for instance")
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
		x.findDraft(draftVocab, rxContentUsageForm, l, start, start+len(m.key), "%s is stated again further on, and only the last value counts", quote(m.key))
	}
}

// inspectUsage looks at one preference of a line.
func (x *extensions) inspectUsage(l *line, m *member, at int, path string) {
	key := at + m.keyAt
	about, known := usageLabels[string(m.key)]
	if !known {
		if why, stale := staleLabels[string(m.key)]; stale {
			x.findDraft(draftVocab, rxPreferenceLabel, l, key, key+len(m.key), "%s is %s", quote(m.key), str(why))
		} else {
			f := x.findDraft(draftVocab, rxPreferenceLabel, l, key, key+len(m.key), "no one defines %s: there are train-ai, ai-use and search", quote(m.key))
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
		x.findDraft(draftVocab, rxContentUsageForm, l, key, key+len(m.key), "%s has no value, which states no preference: write %s=n or %s=y", quote(m.key), str(string(m.key)), str(string(m.key)))
	default:
		f := x.findDraft(draftVocab, rxContentUsageForm, l, start, end, "%s is not y or n, so that %s states no preference", quoteText(value), str(string(m.key)))
		if grants, ok := affirms(value); ok {
			f.Fix = &Fix{Title: "write y or n", Edits: []Edit{{start, end, yesOrNo(grants, "y", "n")}}, Meaning: true}
		}
	}
}

// usageAsParameter finds a preference behind a semicolon instead of a comma.
func (x *extensions) usageAsParameter(l *line, m *member, at int) {
	start := at + m.parameterAt
	f := x.findDraft(draftVocab, rxContentUsageForm, l, start, start+len(m.parameter), "behind a semicolon %s is a parameter of %s and states nothing: part preferences by commas", quote(m.parameter), str(string(m.key)))
	if semicolon := bytes.LastIndexByte(x.body[:start], ';'); semicolon >= 0 {
		f.Fix = &Fix{Title: "write a comma", Edits: []Edit{{semicolon, semicolon + 1, ","}}, Meaning: true}
	}
}

// brokenDictionary finds the byte at which a Dictionary breaks. Capital letters
// can be mended: keys and values have none.
func (x *extensions) brokenDictionary(l *line, text []byte, at, end int, expected string) {
	width := min(1, len(text)-end)
	f := x.findDraft(draftAttach, rxContentUsageForm, l, at+end, at+end+width, "%s should stand here: the line is no Dictionary (RFC 9651 3.2) and states no preference at all", str(expected))
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
