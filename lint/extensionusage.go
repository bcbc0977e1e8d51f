package lint

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/permission"
)

// draftSignals is the draft of Cloudflare's signals.
const draftSignals = "draft-romm-aipref-contentsignals-00"

// staleSignals are labels that Content-Signal does not have, and what to write.
var staleSignals = map[string]string{
	"train-ai":  "a name of Content-Usage. Here it is ai-train",
	"ai-use":    "a name of Content-Usage. Here it is ai-input",
	"search-ai": "taught by some pages, but in no draft. For AI answers write ai-input",
	"ai-search": "taught by some pages, but in no draft. For AI answers write ai-input",
	"ai":        "in no draft. There are ai-input and ai-train",
}

var rxPreferenceForm = check{Entry: &Entry{
	Code: "RX511", Name: "preference-form", Severity: Warning,
	Title: "A Content-Signal or Content-Usage line has the wrong form.",
	Why:   "A Content-Signal line lists search, ai-input and ai-train, each with yes or no, and use with immediate, reference or full (" + draftSignals + "). A Content-Usage line is an optional path and a Dictionary of train-ai, ai-use and search with y or n (" + draftAttach + " section 3, " + draftVocab + " section 6). If one character of the Dictionary is wrong, the whole line has no effect.",
	Bad:   "User-agent: *\nContent-Signal: search=y, ai-train=no\nAllow: /\n",
	Good:  "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n",
}}

func (x *extensions) inspectContentSignal(l *line, key string) {
	read := permission.ReadSignal(ascii.View(l.value()))
	if key == "content-signals" {
		f := x.findDraft(draftSignals, rxPreferenceForm, l, l.keyAt(), l.keyAt()+len(l.key()), "Write Content-Signal, not %s.", quote(l.key()))
		if slices.ContainsFunc(read.List, func(s permission.Preference) bool { return s.Says != "" || s.Level() != "" }) {
			f.Fix = x.mend("write Content-Signal", l.replaceKey("Content-Signal"))
		}
	}
	if read.Path != "" {
		x.findDraft(draftSignals, rxPreferenceForm.at(Info), l, l.valueAt(), l.valueAt()+len(read.Path),
			"The draft has no path here, so not every program reads %s as one.", quote(read.Path))
	}
	if read.Expected != "" {
		x.findDraft(draftSignals, rxPreferenceForm, l, l.keyAt(), l.keyAt()+len(l.key()), "This line has no signal. Write for example search=yes, ai-train=no.")
		return
	}
	if x.findUnseparated(l, read.Text, l.valueAt()+read.TextAt) {
		return
	}
	first := len(x.preferences)
	var level *permission.Preference // the last signal use
	for i := range read.List {
		signal := &read.List[i]
		if signal.Label == "use" {
			level = signal
		}
		x.inspectSignal(l, signal, read.Path)
	}
	if level != nil {
		x.inspectLevel(l, level, x.preferences[first:])
	}
}

func (x *extensions) findUnseparated(l *line, text string, at int) bool {
	separated := strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t,;|", r) }), ", ")
	if n := strings.Count(separated, ", "); n <= strings.Count(text, ",") || n != strings.Count(separated, "=")-1 {
		return false
	}
	f := x.findDraft(draftSignals, rxPreferenceForm, l, at, at+len(text), "Separate the signals with commas.")
	f.Fix = x.mend("separate them with commas", Edit{at, at + len(text), separated})
	return true
}

func (x *extensions) inspectSignal(l *line, signal *permission.Preference, path string) {
	label, lower := signal.Label, ascii.ToLower(signal.Label)
	at := l.valueAt() + signal.LabelAt
	switch {
	case signal.ValueAt == 0:
		x.findDraft(draftSignals, rxPreferenceForm, l, at, at+len(label), "%s is not a signal. Write for example search=yes.", quote(label))
	case signal.Level() != "":
	case signal.Purpose == "":
		x.unknownLabel(draftSignals, l, at, lower, staleSignals[lower], "No draft has the signal %s. There are search, ai-input, ai-train and use.")
	case lower != label:
		f := x.findDraft(draftSignals, rxPreferenceForm, l, at, at+len(label), "Write signals in lower case: %s.", lower)
		f.Fix = x.mend("write it in lower case", Edit{at, at + len(label), lower})
	case signal.Says != "":
		x.prefer(l, path, signal, draftSignals)
	default:
		x.wrongValue(draftSignals, "yes", "no", l, signal)
	}
}

// wrongValue reports a value other than yes and no, as a draft writes them. The fix is for other words for them.
func (x *extensions) wrongValue(draft, yes, no string, l *line, p *permission.Preference) {
	start := l.valueAt() + p.ValueAt
	end := start + len(p.Value)
	f := x.findDraft(draft, rxPreferenceForm, l, start, end, "Write %s or %s, not %s; now %s has no effect.", yes, no, quote(p.Value), p.Label)
	meant := ""
	switch strings.ToLower(strings.Trim(p.Value, `"`)) {
	case "yes", "y", "true", "?1", "1", "allow", "allowed":
		meant = yes
	case "no", "n", "false", "?0", "0", "disallow", "disallowed":
		meant = no
	default:
		return
	}
	f.Fix = x.mend("write "+yes+" or "+no, Edit{start, end, meant})
}

var rxPreferenceLabel = check{Entry: &Entry{
	Code: "RX513", Name: "preference-label", Severity: Warning,
	Title: "A preference about AI or search has an unknown name.",
	Why:   "Content-Usage has train-ai, ai-use and search (" + draftVocab + " section 6.1); earlier drafts had other names, which some pages still teach. Content-Signal has search, ai-input, ai-train and use. Programs ignore names that they do not know. If no draft ever had the name, it is info.",
	Bad:   "User-agent: *\nAllow: /\nContent-Usage: bots=y, train-ai=n\n",
	Good:  "User-agent: *\nAllow: /\nContent-Usage: train-ai=n\n",
}}

// unknownLabel reports a label at an offset that a draft does not have, and what it is if some text
// had it; message is for others.
func (x *extensions) unknownLabel(draft string, l *line, at int, label, stale, message string) {
	if stale != "" {
		x.findDraft(draft, rxPreferenceLabel, l, at, at+len(label), "%s is %s.", quote(label), stale)
		return
	}
	x.findDraft(draft, rxPreferenceLabel.at(Info), l, at, at+len(label), message, quote(label))
}

// The drafts of Content-Usage. They might change, so findings name them.
const (
	draftAttach = "draft-ietf-aipref-attach-05"
	draftVocab  = "draft-ietf-aipref-vocab-08"
)

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

func (x *extensions) inspectContentUsage(l *line) {
	read := permission.ReadUsage(ascii.View(l.value()))
	switch {
	case read.Text == "":
		x.findDraft(draftVocab, rxPreferenceForm, l, l.keyAt(), l.keyAt()+len(l.key()), "This line has no preference. Write for example train-ai=n.")
		return
	case read.Expected != "":
		x.findBrokenDictionary(l, &read)
		return
	}
	for i := range read.List {
		x.inspectUsage(l, &read.List[i], read.Path)
	}
}

func (x *extensions) inspectUsage(l *line, p *permission.Preference, path string) {
	key := l.valueAt() + p.LabelAt
	switch {
	case p.Repeated:
		x.findDraft(draftVocab, rxPreferenceForm, l, key, key+len(p.Label), "%s is repeated in this line, and only its last value applies.", quote(p.Label))
		return
	case p.Purpose == "":
		x.unknownLabel(draftVocab, l, key, p.Label, staleLabels[p.Label], "No draft has %s. There are train-ai, ai-use and search.")
		return
	}
	if p.IsLabel {
		x.findUsageAsParameter(l, p)
	}
	switch {
	case p.Says != "":
		x.prefer(l, path, p, draftAttach)
	case p.Value == "":
		x.findDraft(draftVocab, rxPreferenceForm, l, key, key+len(p.Label), "%s has no value, so it has no effect. Write %s=n or %s=y.", quote(p.Label), p.Label, p.Label)
	default:
		x.wrongValue(draftVocab, "y", "n", l, p)
	}
}

func (x *extensions) findUsageAsParameter(l *line, p *permission.Preference) {
	start := l.valueAt() + p.ParameterAt
	f := x.findDraft(draftVocab, rxPreferenceForm, l, start, start+len(p.Parameter), "After a semicolon %s is a parameter of %s and has no effect. Separate preferences with commas.", quote(p.Parameter), p.Label)
	if semicolon := bytes.LastIndexByte(x.body[:start], ';'); semicolon >= 0 {
		f.Fix = x.mend("write a comma", Edit{semicolon, semicolon + 1, ","})
	}
}

// findBrokenDictionary reports the byte at which a Dictionary ends too early. Capital letters
// can be fixed: keys and values have none.
func (x *extensions) findBrokenDictionary(l *line, read *permission.Preferences) {
	text := read.Text
	at := l.valueAt() + read.TextAt
	end := read.ExpectedAt - read.TextAt
	width := min(1, len(text)-end)
	f := x.findDraft(draftAttach, rxPreferenceForm, l, at+end, at+end+width, "The whole line has no effect, because %s is expected here.", read.Expected)
	lower := strings.ToLower(text)
	if permission.ReadUsage(lower).Expected == "" {
		f.Fix = x.mend("write it in lower case", Edit{at, at + len(text), lower})
		return
	}
	spaced := strings.Join(strings.Fields(text), ", ")
	if end > 0 && !strings.ContainsAny(text, `,;"(`) && permission.ReadUsage(spaced).Expected == "" {
		f.Fix = x.mend("separate the preferences with commas", Edit{at, at + len(text), spaced})
	}
}
