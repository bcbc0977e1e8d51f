package permission

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

const versionTDM = "TDMRep, Community Group Final Report of 2024-05-10"

// The limits of a tdmrep.json and of an RSL document.
const (
	maxDocument = 1 << 20 // bytes
	maxEntries  = 10_000
)

// TDMRep is a file /.well-known/tdmrep.json. The zero TDMRep is for a site without one.
type TDMRep struct {
	URL     string // for places
	Problem string // why the file is not read, and so treated as absent; empty if it is read
	Cut     bool   // the file is not read to the end

	entries   []tdmEntry
	locations *patterns // of entries
	last      atomic.Pointer[tdmMatch]
}

// tdmMatch is the first entry that matches a URL, -1 if none does. The last one is kept, because
// questions about many crawlers have the same URL.
type tdmMatch struct {
	url   string
	entry int
}

// tdmEntry is an element of the array. An entry without a reservation says
// nothing.
type tdmEntry struct {
	location, policy string
	reservation      int8 // 1, 0, or -1 for another value
}

// ReadTDMRep reads a tdmrep.json: at most 1 MiB and 10,000 entries. A file that is longer, or
// whose JSON is not an array of objects, is not read.
func ReadTDMRep(url string, text []byte) *TDMRep {
	t := &TDMRep{URL: url}
	t.read(text)
	locations := make([]string, len(t.entries))
	for i, entry := range t.entries {
		locations[i] = entry.location
		if locations[i] == "" {
			locations[i] = "\x00" // no location matches nothing
		}
	}
	t.locations = compile(robotstxt.RFC9309, locations)
	return t
}

func (t *TDMRep) read(text []byte) {
	if len(text) > maxDocument {
		t.Cut = true
		t.Problem = "it is longer than 1 MiB"
		return
	}
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	if first, err := decoder.Token(); err != nil || first != json.Delim('[') {
		t.Problem = "it is not an array in JSON"
		return
	}
	for decoder.More() {
		if len(t.entries) == maxEntries {
			t.Cut = true
			return
		}
		var members map[string]json.RawMessage // a struct would ignore case
		var entry tdmEntry
		err := decoder.Decode(&members)
		for name, value := range map[string]*string{"location": &entry.location, "tdm-policy": &entry.policy} {
			if text, has := members[name]; has && err == nil {
				err = json.Unmarshal(text, value)
			}
		}
		if err != nil || members == nil {
			t.Problem = fmt.Sprintf("its entry %d is not an object as the report defines it", len(t.entries))
			t.entries = nil
			return
		}
		entry.reservation = reservation(string(members["tdm-reservation"]))
		t.entries = append(t.entries, entry)
	}
	if _, err := decoder.Token(); err != nil {
		t.Problem = "its array has no end"
		t.entries = nil
	}
}

// reservation returns the value of a tdm-reservation, -1 for any but 1 and 0.
func reservation(value string) int8 {
	switch value {
	case "1":
		return 1
	case "0":
		return 0
	}
	return -1
}

// matching returns the first entry that matches a URL, -1 if none does: the specification defines
// the first match as the most specific.
func (t *TDMRep) matching(url string) int {
	if last := t.last.Load(); last != nil && last.url == url {
		return last.entry
	}
	first := -1
	if t.locations != nil {
		if found := t.locations.matching(url); len(found) > 0 {
			first = found[0].index
		}
	}
	t.last.Store(&tdmMatch{url, first})
	return first
}

// tdmLevel is a kind of source of TDMRep. Each overrides those before it.
type tdmLevel int

const (
	fromNone tdmLevel = iota
	fromFile
	fromHeader
	fromPage
)

type tdm struct {
	reason   Reason
	reserved int8 // -1: nothing yet
	policy   string
}

type tdmValue struct {
	reserved int8   // -1: nothing
	policy   string // empty: nothing
	text     string
	place    Place
}

// add adds a reservation of a line or an element. If there are several, the
// strictest wins.
func (v *tdmValue) add(e *evaluation, text string, place Place) {
	n := reservation(strings.TrimSpace(text))
	switch {
	case n < 0:
		e.report(Finding{sourceTDM, place, text, "tdm-reservation is neither 1 nor 0, so it is not set"}, aiSearch, aiTraining, Mining)
	case n > v.reserved:
		v.reserved = n
		v.place = place
	}
}

// addPolicy adds a policy. If there are several, the first wins.
func (v *tdmValue) addPolicy(text string) { v.policy = cmp.Or(v.policy, strings.TrimSpace(text)) }

// readTDM reads the reservations: of the file, the response and the page, in this order.
// Each later one overrides, and absence changes nothing.
func (e *evaluation) readTDM() {
	t := tdm{reserved: -1}
	if f := e.s.TDMRep; f != nil {
		e.readTDMFile(&t, f)
	}
	v := tdmValue{reserved: -1}
	for i, line := range e.header("Tdm-Reservation") {
		v.add(e, line, Place{Header: "Tdm-Reservation", Index: i})
	}
	for _, line := range e.header("Tdm-Policy") {
		v.addPolicy(line)
	}
	v.text = "tdm-reservation: " + strconv.Itoa(int(v.reserved))
	e.override(&t, fromHeader, v)
	if e.s.Page != nil {
		v = tdmValue{reserved: -1}
		for _, m := range e.s.Page.Metas {
			switch {
			case ascii.EqualFold(m.Name, "tdm-reservation"):
				v.add(e, m.Content, Place{URL: e.q.URL, Offset: m.Offset, Line: m.Line})
			case ascii.EqualFold(m.Name, "tdm-policy"):
				v.addPolicy(m.Content)
			}
		}
		v.text = "tdm-reservation=" + strconv.Itoa(int(v.reserved))
		e.override(&t, fromPage, v)
	}
	e.sayTDM(&t, false)
}

func (e *evaluation) readTDMFile(t *tdm, f *TDMRep) {
	if f.Problem != "" {
		e.report(Finding{sourceTDM, Place{URL: f.URL}, "tdmrep.json", "the file is not read, because " + f.Problem}, aiSearch, aiTraining, Mining)
		return
	}
	i := f.matching(e.q.URL)
	if i < 0 {
		return
	}
	entry := f.entries[i]
	place := Place{URL: f.URL, Pointer: "/" + strconv.Itoa(i)}
	if entry.reservation < 0 {
		e.report(Finding{sourceTDM, place, entry.location, "tdm-reservation is neither 1 nor 0, so it is not set"}, aiSearch, aiTraining, Mining)
		return
	}
	e.override(t, fromFile, tdmValue{entry.reservation, entry.policy,
		fmt.Sprintf("%s: tdm-reservation %d", entry.location, entry.reservation), place})
	t.reason.Path = entry.location
}

// override replaces the statements of earlier sources. A policy can come alone, and applies if
// mining is reserved.
func (e *evaluation) override(t *tdm, level tdmLevel, v tdmValue) {
	if v.policy != "" && v.reserved != 0 {
		t.policy = v.policy[:min(len(v.policy), longestURL)]
	}
	if v.reserved >= 0 {
		if t.reserved >= 0 && t.reserved != v.reserved {
			e.sayTDM(t, true)
		}
		t.reserved = v.reserved
		e.tdmLevel = level
		t.reason = Reason{Source: sourceTDM, Version: versionTDM, Place: v.place, Text: v.text, Says: SaysYes,
			Strength: Draft, HonouredBy: []string{}}
	}
	if t.reserved == 1 {
		t.reason.Says = SaysReserved
		t.reason.Terms = t.policy
	}
}

// sayTDM keeps a reservation: of mining, and of training and AI search, which mine texts. That
// mining is not reserved permits mining only.
func (e *evaluation) sayTDM(t *tdm, overridden bool) {
	if t.reserved < 0 {
		return
	}
	t.reason.Overridden = overridden
	e.say(Mining, t.reason)
	if t.reserved == 1 {
		for _, p := range []crawlers.Purpose{aiTraining, aiSearch} {
			general := t.reason
			general.Reading = true
			e.say(p, general)
		}
	}
}
