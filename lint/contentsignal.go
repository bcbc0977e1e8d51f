package lint

import (
	"bytes"
	"strings"
)

// draftSignals is the draft of Cloudflare's signals. It moves, as those of
// Content-Usage do.
const draftSignals = "draft-romm-aipref-contentsignals-00"

var contentSignalEntries = []Entry{
	{
		Code: "RX511", Name: "content-signal-form", Severity: Warning,
		Title: "The value of a Content-Signal line is not a list of signals.",
		Why:   "Cloudflare's Content Signals Policy of September 2025 knows three signals, search, ai-input and ai-train, with the values yes and no, parted by commas (" + draftSignals + ", expired in April 2026). What is not stated is neither granted nor refused. A path in front of the signals is in no draft, so that some readers take it for part of the first signal: it is information.",
		Bad:   "User-agent: *\nContent-Signal: search=y, ai-train=no\nAllow: /\n",
		Good:  "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n",
	},
}

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

// inspectContentSignal reads a list of signals. No text has a grammar for it, so
// blanks around commas and equal signs pass.
func (x *extensions) inspectContentSignal(l *line, key string) {
	if key == "content-signals" {
		f := x.findDraft(draftSignals, "RX511", l, l.keyAt(), l.keyAt()+len(l.key()), "%s is not what the line is called: write Content-Signal", quote(l.key()))
		f.Fix = &Fix{Title: "write Content-Signal", Edits: l.replaceKey("Content-Signal"), Meaning: true}
	}
	path, text := cutPath(l.value())
	if path != nil {
		f := x.findDraft(draftSignals, "RX511", l, l.valueAt(), l.valueAt()+len(path), "the draft knows no path such as %s, so that not every reader takes it for one", quote(path))
		x.soften(f, Info)
	}
	at := l.valueAt() + len(l.value()) - len(text)
	if len(text) == 0 {
		x.findDraft(draftSignals, "RX511", l, l.keyAt(), l.keyAt()+len(l.key()), "the line states no signal: write search=yes, ai-train=no for instance")
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
	f := x.findDraft(draftSignals, "RX511", l, at, at+len(text), "the signals %s are not parted by commas", quote(text))
	f.Fix = &Fix{Title: "separate them with commas", Edits: []Edit{{at, at + len(text), parted}}, Meaning: true}
	return true
}

// inspectSignal looks at one signal, which begins at that offset.
func (x *extensions) inspectSignal(l *line, signal []byte, at int, path string) {
	key, value, ok := bytes.Cut(signal, []byte("="))
	if !ok {
		x.findDraft(draftSignals, "RX511", l, at, at+len(signal), "%s is no signal: write search=yes for instance", quote(signal))
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
		f := x.findDraft(draftSignals, "RX511", l, at, at+len(key), "signals are in lower case: write %s", lower)
		f.Fix = &Fix{Title: "write it in lower case", Edits: []Edit{{at, at + len(key), lower}}, Meaning: true}
	case string(value) == "yes" || string(value) == "no":
		x.prefer(l, path, about, value[0] == 'y', draftSignals, at, end)
	default:
		f := x.findDraft(draftSignals, "RX511", l, start, end, "%s is neither yes nor no, so that %s states nothing", quote(value), lower)
		if grants, ok := affirms(string(value)); ok {
			f.Fix = &Fix{Title: "write yes or no", Edits: []Edit{{start, end, yesOrNo(grants, "yes", "no")}}, Meaning: true}
		}
	}
}

// unknownSignal finds a label that Cloudflare's policy does not have.
func (x *extensions) unknownSignal(l *line, label string, start, end int) {
	if why, stale := staleSignals[label]; stale {
		x.findDraft(draftSignals, "RX513", l, start, end, "%s is %s", quote(label), why)
		return
	}
	f := x.findDraft(draftSignals, "RX513", l, start, end, "no one defines the signal %s: there are search, ai-input and ai-train", quote(label))
	x.soften(f, Info)
}
