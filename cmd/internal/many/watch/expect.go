package watch

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// Expected is the file that sites should serve.
type Expected struct {
	Name string // the name of the file, or its URL
	Body []byte
}

// judgeExpected compares the served file with the expected file, without waiting for confirmation.
// It reports a difference once, until the difference changes.
func (w *watcher) judgeExpected(ctx context.Context, s *site, states States, seen Observation,
	url string) (*outcome, error) {
	states[RulesPart].Checked = seen.At
	out := &outcome{site: s, expected: s.expected, Sighting: Sighting{Site: s.origin, State: states, Step: Unknown}}
	if seen.Local || seen.Fault != "" {
		return out, nil // the fetch says nothing about the file
	}
	changes, err := w.Expect.Differences(ctx, w.Reader, url, &seen.Served)
	if err != nil {
		return nil, err
	}
	digest := ""
	if len(changes) > 0 {
		digest = meaningOf(w.Expect.Body, changes)
		out.Text = changes[0].Text
	}
	switch {
	case digest == s.expected && digest == "":
		out.Step = Unchanged
	case digest == "":
		out.Step = Reverted
	case digest == s.expected:
		out.Step = Pending
	default:
		out.Step = Reported
		out.Event = event(s.origin, seen, seen.At, changes)
		out.Event.Expected = w.Expect.Name
	}
	out.expected = digest
	return out, nil
}

// meaningOf returns a digest of changes without the numbers and the texts of lines, which a comment
// changes too.
func meaningOf(expected []byte, list []wire.WatchChange) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q", expected)
	for i := range list {
		c := &list[i]
		fmt.Fprintf(&b, " %s %s %q %d %q %q %t", c.Kind, c.Gravity, c.Agents, c.Pairs, c.Old, c.New, c.Injected)
		for _, p := range c.Paths {
			fmt.Fprintf(&b, " %s %q", p.Effect, p.Witness)
		}
	}
	return uuid(b.String())
}

// Differences returns the differences in meaning between the served file and the expected one, the
// most serious first. It marks differences caused by lines that were added on the way.
func (e *Expected) Differences(ctx context.Context, r *Reader, url string, served *Served) ([]wire.WatchChange, error) {
	want := &Served{Outcome: wire.OutcomeRules, File: true, Status: 200, FinalURL: served.FinalURL, Body: e.Body}
	all, err := r.Changes(ctx, url, want, served)
	if err != nil || len(all) == 0 || !served.File {
		return all, err
	}
	added := injected(e.Body, served.Body)
	if len(added) == 0 {
		return all, nil
	}
	own := *served
	own.Body = withoutLines(served.Body, added)
	list, err := r.Changes(ctx, url, want, &own)
	if err != nil {
		return nil, err
	}
	by, err := r.Changes(ctx, url, &own, served)
	if err != nil {
		return nil, err
	}
	for _, b := range added {
		c := changes{}
		note := c.add(wire.WatchInjected, wire.GravityLow,
			fmt.Sprintf("%s added on the way, from line %d on: %s", term.Count(b.lines, "line", "lines"), b.first, term.Excerpt(b.text)))
		note.Injected = true
		by = append(by, *note)
	}
	for i := range by {
		by[i].Injected = true
	}
	list = append(list, by...)
	sortChanges(list)
	return list, nil
}

type block struct {
	first, lines int
	text         string // the number of the first line with a directive, or else of the first line
}

// injected returns the blocks of lines of served that are between lines, or before or after all
// lines, of expected. It returns none unless all lines of expected that are not empty are in
// served, in their order. Otherwise another file is served, and no line is certainly an added one.
func injected(expected, served []byte) (added []block) {
	var want [][]byte
	for line := range robotstxt.Lines(expected) {
		if text := trimmed(line); len(text) > 0 {
			want = append(want, text)
		}
	}
	var lines []robotstxt.Line
	for line := range robotstxt.Lines(served) {
		lines = append(lines, line)
	}
	// The last possible places. Together with the first ones they decide which of several equal
	// lines are the expected ones: the lines that are next to each other.
	place := matched(lines, want)
	if place == nil {
		return nil
	}
	for i := 0; i < len(lines); i++ {
		if len(trimmed(lines[i])) == 0 || slices.Contains(place, i) {
			continue
		}
		b := block{first: lines[i].Number, text: string(trimmed(lines[i]))}
		directive := false
		for ; i < len(lines) && !slices.Contains(place, i); i++ {
			text := trimmed(lines[i])
			if len(text) == 0 {
				continue
			}
			b.lines = lines[i].Number - b.first + 1
			if !directive && text[0] != '#' {
				b.text = string(text)
				directive = true
			}
		}
		added = append(added, b)
	}
	return added
}

// matched returns the places of the wanted lines, as a run from the end of the file or from
// its beginning, whichever makes fewer blocks; nil if they are not there.
func matched(lines []robotstxt.Line, want [][]byte) []int {
	forward, backward := make([]int, 0, len(want)), make([]int, len(want))
	for i := range lines {
		if len(forward) < len(want) && bytes.Equal(trimmed(lines[i]), want[len(forward)]) {
			forward = append(forward, i)
		}
	}
	if len(forward) < len(want) || len(want) == 0 {
		return nil
	}
	next := len(want) - 1
	for i := len(lines) - 1; i >= 0 && next >= 0; i-- {
		if bytes.Equal(trimmed(lines[i]), want[next]) {
			backward[next] = i
			next--
		}
	}
	if gaps(lines, backward) < gaps(lines, forward) {
		return backward
	}
	return forward
}

func gaps(lines []robotstxt.Line, place []int) (n int) {
	for i := 1; i < len(place); i++ {
		for between := place[i-1] + 1; between < place[i]; between++ {
			if len(trimmed(lines[between])) > 0 {
				n++
				break
			}
		}
	}
	return n
}

func trimmed(line robotstxt.Line) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(line.Raw, []byte("\ufeff")))
}

func withoutLines(body []byte, blocks []block) (left []byte) {
	for line := range robotstxt.Lines(body) {
		if !slices.ContainsFunc(blocks,
			func(b block) bool { return b.first <= line.Number && line.Number < b.first+b.lines }) {
			left = append(left, line.Raw...)
		}
	}
	return left
}
