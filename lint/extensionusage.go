package lint

import (
	"bytes"
	"strings"
)

// draftSignals is the draft of Cloudflare's signals.
const draftSignals = "draft-romm-aipref-contentsignals-00"

// signalLabels are Cloudflare's signals, and what each is about.
var signalLabels = map[string]use{"ai-train": useTraining, "ai-input": useInput, "search": useSearch}

// staleSignals are labels that Content-Signal does not have, and what to write.
var staleSignals = map[string]string{
	"train-ai":  "a name of Content-Usage. Here it is ai-train",
	"ai-use":    "a name of Content-Usage. Here it is ai-input",
	"search-ai": "taught by some pages, but in no draft. For AI answers write ai-input",
	"ai-search": "taught by some pages, but in no draft. For AI answers write ai-input",
	"ai":        "in no draft. There are ai-input and ai-train",
}

// signalUses are the values of the signal use, which Cloudflare has tested since July 2026,
// with what each excludes: immediate stores nothing, reference indexes, quotes and links,
// full also summarises and copies.
var signalUses = map[string][]use{"immediate": {useTraining, useSearch}, "reference": {useTraining}, "full": nil}

var rxPreferenceForm = &check{Entry{
	Code: "RX511", Name: "preference-form", Severity: Warning,
	Title: "A Content-Signal or Content-Usage line has the wrong form.",
	Why: "A Content-Signal line is a list of search, ai-input and ai-train, each with yes or no, separated by commas, and use with immediate, reference or full (Cloudflare's Content Signals Policy; " + draftSignals + ", expired in April 2026). " +
		"A Content-Usage line is an optional path, a space, and a Dictionary of train-ai, ai-use and search with y or n (" + draftAttach + " section 3, " + draftVocab + " section 6, RFC 9651 3.2). If one character of the Dictionary is wrong, for example a capital letter in a key, the whole line has no effect. A path in a Content-Signal line is info: no draft has one.",
	Bad:  "User-agent: *\nContent-Signal: search=y, ai-train=no\nAllow: /\n",
	Good: "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n",
}}

// inspectContentSignal reads a list of signals. No text has a grammar for it, so blanks
// around commas and equal signs are accepted.
func (x *extensions) inspectContentSignal(l *line, key string) {
	if key == "content-signals" {
		f := x.findDraft(draftSignals, rxPreferenceForm, l, l.keyAt(), l.keyAt()+len(l.key()), "Write Content-Signal, not %s.", quote(l.key()))
		f.Fix = &Fix{Title: "write Content-Signal", Edits: l.replaceKey("Content-Signal"), Meaning: true}
	}
	path, text := cutPath(l.value())
	if path != nil {
		f := x.findDraft(draftSignals, rxPreferenceForm, l, l.valueAt(), l.valueAt()+len(path), "The draft has no path here, so not every program reads %s as one.", quote(path))
		x.soften(f, Info)
	}
	at := l.valueAt() + len(l.value()) - len(text)
	if len(text) == 0 {
		x.findDraft(draftSignals, rxPreferenceForm, l, l.keyAt(), l.keyAt()+len(l.key()), "This line has no signal. Write for example search=yes, ai-train=no.")
		return
	}
	if x.unseparated(l, text, at) {
		return
	}
	first := len(x.preferences)
	var level []byte // the signal use
	for item := range bytes.SplitSeq(text, []byte(",")) {
		signal := bytes.Trim(item, " \t")
		if value, ok := bytes.CutPrefix(signal, []byte("use=")); ok {
			level = value
		}
		x.inspectSignal(l, signal, at+bytes.Index(item, signal), string(path))
		at += len(item) + 1
	}
	x.inspectLevel(l, string(level), x.preferences[first:])
}

// unseparated reports signals that are not separated by commas, and whether there are any.
func (x *extensions) unseparated(l *line, text []byte, at int) bool {
	separated := strings.Join(strings.FieldsFunc(string(text), func(r rune) bool { return strings.ContainsRune(" \t,;|", r) }), ", ")
	if n := strings.Count(separated, ", "); n <= bytes.Count(text, []byte(",")) || n != strings.Count(separated, "=")-1 {
		return false
	}
	f := x.findDraft(draftSignals, rxPreferenceForm, l, at, at+len(text), "Separate the signals with commas.")
	f.Fix = &Fix{Title: "separate them with commas", Edits: []Edit{{at, at + len(text), separated}}, Meaning: true}
	return true
}

// inspectSignal inspects one signal, which begins at that offset.
func (x *extensions) inspectSignal(l *line, signal []byte, at int, path string) {
	key, value, ok := bytes.Cut(signal, []byte("="))
	if !ok {
		x.findDraft(draftSignals, rxPreferenceForm, l, at, at+len(signal), "%s is not a signal. Write for example search=yes.", quote(signal))
		return
	}
	end := at + len(signal)
	start := end - len(bytes.TrimLeft(value, " \t"))
	value = value[len(value)-(end-start):]
	key = bytes.TrimRight(key, " \t")
	lower := strings.ToLower(string(key))
	about, known := signalLabels[lower]
	_, isLevel := signalUses[string(value)]
	switch {
	case lower == "use" && isLevel:
	case !known:
		x.unknownSignal(l, lower, at, at+len(key))
	case lower != string(key):
		f := x.findDraft(draftSignals, rxPreferenceForm, l, at, at+len(key), "Write signals in lower case: %s.", str(lower))
		f.Fix = &Fix{Title: "write it in lower case", Edits: []Edit{{at, at + len(key), lower}}, Meaning: true}
	case string(value) == "yes" || string(value) == "no":
		x.prefer(l, path, about, value[0] == 'y', draftSignals, at, end)
	default:
		f := x.findDraft(draftSignals, rxPreferenceForm, l, start, end, "Write yes or no, not %s; now %s has no effect.", quote(value), str(lower))
		if grants, ok := affirms(string(value)); ok {
			f.Fix = &Fix{Title: "write yes or no", Edits: []Edit{{start, end, yesOrNo(grants, "yes", "no")}}, Meaning: true}
		}
	}
}

var rxPreferenceLabel = &check{Entry{
	Code: "RX513", Name: "preference-label", Severity: Warning,
	Title: "A preference about AI or search has an unknown name.",
	Why:   "Content-Usage has train-ai, ai-use and search (" + draftVocab + " section 6.1); earlier drafts had other names, which some pages still teach. Content-Signal has search, ai-input, ai-train and use. Programs ignore names that they do not know. It is info if no draft ever had the name, because it may be an extension.",
	Bad:   "User-agent: *\nAllow: /\nContent-Usage: bots=y, train-ai=n\n",
	Good:  "User-agent: *\nAllow: /\nContent-Usage: train-ai=n\n",
}}

// unknownSignal reports a label that Cloudflare's policy does not have.
func (x *extensions) unknownSignal(l *line, label string, start, end int) {
	if why, stale := staleSignals[label]; stale {
		x.findDraft(draftSignals, rxPreferenceLabel, l, start, end, "%s is %s.", quoteText(label), str(why))
		return
	}
	f := x.findDraft(draftSignals, rxPreferenceLabel, l, start, end, "No draft has the signal %s. There are search, ai-input, ai-train and use.", quoteText(label))
	x.soften(f, Info)
}

// The drafts of Content-Usage. They may change, so findings name them.
const (
	draftAttach = "draft-ietf-aipref-attach-05"
	draftVocab  = "draft-ietf-aipref-vocab-08"
)

// usageLabels are the labels of draftVocab, and what each is about.
var usageLabels = map[string]use{"train-ai": useTraining, "ai-use": useInput, "search": useSearch}

// staleLabels are labels that Content-Usage never had or no longer has, and what to write.
var staleLabels = map[string]string{
	"ai-train":    "a name of Content-Signal. Here it is train-ai",
	"ai-input":    "a name of Content-Signal. Here it is ai-use",
	"genai":       "a name of earlier drafts. Now it is train-ai",
	"train-genai": "a name of earlier drafts. Now it is train-ai",
	"ai":          "a name of earlier drafts. Now there are train-ai and ai-use",
	"ai-output":   "a name of earlier drafts. Now it is ai-use",
	"inference":   "a name of earlier drafts. Now it is ai-use",
	"bots":        "a name of earlier drafts without a successor. Use Disallow",
	"tdm":         "a name of earlier drafts without a successor",
	"all":         "a name of earlier drafts without a successor",
}

// inspectContentUsage reads a line as attach section 3.2 does: path, blank,
// Dictionary.
func (x *extensions) inspectContentUsage(l *line) {
	path, text := cutPath(l.value())
	at := l.valueAt() + len(l.value()) - len(text)
	members, end, expected := readDictionary(text)
	switch {
	case len(text) == 0:
		x.findDraft(draftVocab, rxPreferenceForm, l, l.keyAt(), l.keyAt()+len(l.key()), "This line has no preference. Write for example train-ai=n.")
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
		x.findDraft(draftVocab, rxPreferenceForm, l, start, start+len(m.key), "%s is repeated in this line, and only its last value counts.", quote(m.key))
	}
}

// inspectUsage looks at one preference of a line.
func (x *extensions) inspectUsage(l *line, m *member, at int, path string) {
	key := at + m.keyAt
	about, known := usageLabels[string(m.key)]
	if !known {
		if why, stale := staleLabels[string(m.key)]; stale {
			x.findDraft(draftVocab, rxPreferenceLabel, l, key, key+len(m.key), "%s is %s.", quote(m.key), str(why))
		} else {
			f := x.findDraft(draftVocab, rxPreferenceLabel, l, key, key+len(m.key), "No draft has %s. There are train-ai, ai-use and search.", quote(m.key))
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
		x.findDraft(draftVocab, rxPreferenceForm, l, key, key+len(m.key), "%s has no value, so it has no effect. Write %s=n or %s=y.", quote(m.key), str(string(m.key)), str(string(m.key)))
	default:
		f := x.findDraft(draftVocab, rxPreferenceForm, l, start, end, "Write y or n, not %s; now %s has no effect.", quoteText(value), str(string(m.key)))
		if grants, ok := affirms(value); ok {
			f.Fix = &Fix{Title: "write y or n", Edits: []Edit{{start, end, yesOrNo(grants, "y", "n")}}, Meaning: true}
		}
	}
}

// usageAsParameter reports a preference after a semicolon instead of a comma.
func (x *extensions) usageAsParameter(l *line, m *member, at int) {
	start := at + m.parameterAt
	f := x.findDraft(draftVocab, rxPreferenceForm, l, start, start+len(m.parameter), "After a semicolon %s is a parameter of %s and has no effect. Separate preferences with commas.", quote(m.parameter), str(string(m.key)))
	if semicolon := bytes.LastIndexByte(x.body[:start], ';'); semicolon >= 0 {
		f.Fix = &Fix{Title: "write a comma", Edits: []Edit{{semicolon, semicolon + 1, ","}}, Meaning: true}
	}
}

// brokenDictionary reports the byte at which a Dictionary ends too early. Capital letters
// can be fixed: keys and values have none.
func (x *extensions) brokenDictionary(l *line, text []byte, at, end int, expected string) {
	width := min(1, len(text)-end)
	f := x.findDraft(draftAttach, rxPreferenceForm, l, at+end, at+end+width, "The whole line has no effect, because %s is expected here.", str(expected))
	lower := bytes.ToLower(text)
	if _, _, wrong := readDictionary(lower); wrong == "" {
		f.Fix = &Fix{Title: "write it in lower case", Edits: []Edit{{at, at + len(text), string(lower)}}, Meaning: true}
		return
	}
	if spaced := strings.Join(strings.Fields(string(text)), ", "); end > 0 && !bytes.ContainsAny(text, `,;"(`) {
		if _, _, wrong := readDictionary([]byte(spaced)); wrong == "" {
			f.Fix = &Fix{Title: "separate the preferences with commas", Edits: []Edit{{at, at + len(text), spaced}}, Meaning: true}
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

// affirms reports whether a value that is not in the vocabulary means yes or no; ok is false
// if it means neither.
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
