package permission

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

const versionTDM = "TDMRep, Community Group Final Report of 2024-05-10"

// The limits of a tdmrep.json and of an RSL document.
const (
	mostDocument = 1 << 20 // bytes
	mostEntries  = 10_000
)

// TDMRep is a file /.well-known/tdmrep.json. The zero TDMRep is for a site without one.
type TDMRep struct {
	URL     string // for places
	Problem string // why it is not read, so that it is as if there were none; empty if it is read
	Cut     bool   // the file is longer than what is read of it

	entries []tdmEntry
}

// tdmEntry is an element of the array. One without a reservation says nothing.
type tdmEntry struct {
	location, policy string
	reservation      int8 // 1, 0, or -1 for another value
}

// ReadTDMRep reads a tdmrep.json: at most 1 MiB and 10,000 entries. A file that is longer, or
// whose JSON is not an array of objects, is not read.
func ReadTDMRep(url string, text []byte) *TDMRep {
	t := &TDMRep{URL: url}
	if len(text) > mostDocument {
		t.Cut, t.Problem = true, "it is longer than 1 MiB"
		return t
	}
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	if first, err := decoder.Token(); err != nil || first != json.Delim('[') {
		t.Problem = "it is not an array in JSON"
		return t
	}
	for decoder.More() {
		if len(t.entries) == mostEntries {
			t.Cut = true
			return t
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
			t.Problem, t.entries = fmt.Sprintf("its entry %d is not an object as the report defines it", len(t.entries)), nil
			return t
		}
		entry.reservation = reservation(string(members["tdm-reservation"]))
		t.entries = append(t.entries, entry)
	}
	if _, err := decoder.Token(); err != nil {
		t.Problem, t.entries = "its array does not end", nil
	}
	return t
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

// tdm is what is known while the sources of TDMRep are read: each later one overrides.
type tdm struct {
	reason   Reason
	reserved int8 // -1: nothing yet
	policy   string
}

// readTDM reads the reservations: of the file, the response and the page, in this order.
// Each later one overrides, and absence changes nothing.
func (e *evaluation) readTDM() {
	t := tdm{reserved: -1}
	if f := e.s.TDMRep; f != nil {
		e.readTDMFile(&t, f)
	}
	place := Place{Header: "Tdm-Reservation"}
	value, policies := e.tdmValue(e.header("Tdm-Reservation"), place), e.header("Tdm-Policy")
	e.override(&t, value, first(policies), "tdm-reservation: "+strconv.Itoa(int(value)), place)
	if e.s.Page != nil {
		values, policy, at := []string{}, "", 0
		for _, m := range e.s.Page.Metas {
			switch {
			case ascii.EqualFold(m.Name, "tdm-reservation"):
				values, at = append(values, m.Content), m.Offset
			case ascii.EqualFold(m.Name, "tdm-policy") && policy == "":
				policy = strings.TrimSpace(m.Content)
			}
		}
		place := Place{URL: e.q.URL, Offset: at}
		value := e.tdmValue(values, place)
		e.override(&t, value, policy, fmt.Sprintf("tdm-reservation=%d", value), place)
	}
	e.sayTDM(&t, false)
}

// readTDMFile reads the first entry that matches: it is the most specific one by definition.
func (e *evaluation) readTDMFile(t *tdm, f *TDMRep) {
	if f.Problem != "" {
		e.find(Finding{sourceTDM, Place{URL: f.URL}, "", "the file is not read, because " + f.Problem}, aiSearch, aiTraining, Mining)
		return
	}
	locations := make([]string, len(f.entries))
	for i, entry := range f.entries {
		if locations[i] = entry.location; locations[i] == "" {
			locations[i] = "\x00" // no location matches nothing
		}
	}
	for i, n := range lengths(robotstxt.RFC9309, locations, e.q.URL) {
		if n < 0 {
			continue
		}
		entry, place := f.entries[i], Place{URL: f.URL, Pointer: "/" + strconv.Itoa(i)}
		if entry.reservation < 0 {
			e.find(Finding{sourceTDM, place, entry.location, "tdm-reservation is neither 1 nor 0, so it is not set"}, aiSearch, aiTraining, Mining)
			return
		}
		e.override(t, entry.reservation, entry.policy, fmt.Sprintf("%s: tdm-reservation %d", entry.location, entry.reservation), place)
		t.reason.Path = entry.location
		return
	}
}

// tdmValue returns the reservation of several lines or elements, of which the strictest counts,
// and -1 if there is none.
func (e *evaluation) tdmValue(values []string, place Place) int8 {
	value := int8(-1)
	for _, v := range values {
		n := reservation(strings.TrimSpace(v))
		if n < 0 {
			e.find(Finding{sourceTDM, place, v, "tdm-reservation is neither 1 nor 0, so it is not set"}, aiSearch, aiTraining, Mining)
		}
		value = max(value, n)
	}
	return value
}

// override replaces what earlier sources said, unless there is no value.
func (e *evaluation) override(t *tdm, value int8, policy, text string, place Place) {
	if value < 0 {
		return
	}
	if t.reserved >= 0 && t.reserved != value {
		e.sayTDM(t, true)
	}
	if policy == "" {
		policy = t.policy
	}
	t.reserved, t.policy = value, policy
	t.reason = Reason{Source: sourceTDM, Version: versionTDM, Place: place, Text: text, Says: SaysYes, Strength: Draft, HonouredBy: []string{}}
	if value == 1 {
		t.reason.Says, t.reason.Terms = SaysReserved, policy[:min(len(policy), longestURL)]
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

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return strings.TrimSpace(values[0])
}
