package watch

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// Some sites serve several variants in turn, for example because the servers of a content
// delivery network have different files. No variant lasts until it is confirmed, or each is
// confirmed again and again. Such a site has one event with all of its variants.
const (
	// variantWindow is the time over which the answers of a site are counted together.
	variantWindow = 24 * time.Hour

	minVariantFetches = 8

	// A meaning needs a share of 1/variantShare of the answers to be in an event, and
	// minVariantCount answers: two bad ones of eight do not make a variant.
	variantShare    = 4
	minVariantCount = 3

	// maxVariants bounds the meanings that are kept. It is several times the number that can have that
	// share, so that none of those is lost, see count.
	maxVariants = 4 * variantShare

	// maxRun is the number of equal answers in a row that confirm a change of a site with
	// variants.
	maxRun = 16
)

// Variants counts the meanings of a site since an answer first differed from the reported one.
type Variants struct {
	Began   time.Time `json:"began"`
	Fetches int       `json:"fetches"`
	List    []Variant `json:"list"`
	Told    bool      `json:"told,omitempty"` // an event has reported them

	Lost     int `json:"lost,omitempty"`    // answers whose meaning is not in List any more, so a count might lack them
	Reported int `json:"reported"`          // index in List, -1 if it is not there
	Current  int `json:"current"`           // the index of the last answer in List, -1 if it is not there
	Returns  int `json:"returns,omitempty"` // the number of times that a meaning came back after others

	named []Variant // what the event of this step names
}

// Variant is a meaning.
type Variant struct {
	Served
	Count int  `json:"count"`
	Told  bool `json:"told,omitempty"` // an event has reported it
	Owed  bool `json:"owed,omitempty"` // the next event will report it

	// Share and Of are the count of an owed meaning and of all answers when it last had its share.
	Share int `json:"share,omitempty"`
	Of    int `json:"of,omitempty"`
}

type storedVariant struct {
	storedFields
	storedBody
}

type storedFields Variant

// MarshalJSON returns the variant with its body.
func (v Variant) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedVariant{storedFields(v), stored(v.Body)})
}

// UnmarshalJSON reads what MarshalJSON returns.
func (v *Variant) UnmarshalJSON(text []byte) (err error) {
	var stored storedVariant
	if err := json.Unmarshal(text, &stored); err != nil {
		return err
	}
	*v = Variant(stored.storedFields)
	v.Body, err = stored.body()
	return err
}

// clone returns a copy that can be changed, because earlier states must stay as they are.
func (v *Variants) clone() *Variants {
	c := *v
	c.List = slices.Clone(v.List)
	c.named = nil
	return &c
}

// next returns the variants after an answer: nil if the site has none. differ reports whether the
// answer differs from the reported one, and c compares it with others.
func (v *Variants) next(reported *Served, o *Observation, differ bool, c Comparer) *Variants {
	switch {
	case v == nil && !differ:
		return nil
	case v == nil:
		v = &Variants{Began: o.At, Fetches: 1, List: []Variant{{Served: *reported, Count: 1, Told: true}}}
	default:
		v = v.clone().renewed(o.At)
	}
	if v == nil {
		return nil
	}
	at := v.Reported
	if differ || at < 0 {
		at = slices.IndexFunc(v.List,
			func(known Variant) bool { return known.same(&o.Served) || !c.Differ(&known.Served, &o.Served) })
	}
	v.count(at, o)
	return v
}

// renewed begins another window if the last one is over, and changes v. Variants stay known if an event has
// yet to report them, or has reported them and they were served again, and so does the last one. It returns
// nil if only the file that was reported last is left.
func (v *Variants) renewed(now time.Time) *Variants {
	if v.Began.After(now) { // the clock was set back
		v.Began = now
	}
	if now.Sub(v.Began) < variantWindow || v.Fetches < minVariantFetches {
		return v
	}
	if v.Returns > 0 {
		v.owe()
	}
	v.keep(func(i int, known *Variant) bool {
		isSeen := known.Count > 0
		known.Count = 0
		return i == v.Reported || i == v.Current || known.Owed || isSeen && known.Told
	})
	v.Began = now
	v.Fetches = 0
	v.Lost = 0
	v.Returns = v.Returns / 2
	if len(v.List) == 1 && v.Reported == 0 {
		return nil
	}
	return v
}

func (v *Variants) keep(isKept func(i int, known *Variant) bool) {
	kept := v.List[:0]
	reported, current := -1, -1
	for i, known := range v.List {
		if !isKept(i, &known) {
			continue
		}
		if i == v.Reported {
			reported = len(kept)
		}
		if i == v.Current {
			current = len(kept)
		}
		kept = append(kept, known)
	}
	v.List, v.Reported, v.Current = kept, reported, current
}

// count counts an answer, whose meaning is at an index of the list or, at -1, not in it. If the
// list is full, a new meaning takes the place of the one that was seen least, and first.
func (v *Variants) count(at int, o *Observation) {
	v.Fetches++
	isKnown := at >= 0 && (v.List[at].Count > 0 || v.List[at].Told)
	if at >= 0 {
		v.List[at].Served = o.Served // the newest text with this meaning
		v.List[at].Count++
	} else {
		if len(v.List) >= maxVariants {
			v.drop()
		}
		at = len(v.List)
		v.List = append(v.List, Variant{Served: o.Served, Count: 1})
	}
	if isKnown && at != v.Current {
		v.Returns++
	}
	v.Current = at
}

// drop removes the meaning that was seen least.
func (v *Variants) drop() {
	least := -1
	for i, known := range v.List {
		if i != v.Reported && !known.Owed && (least < 0 || known.Count < v.List[least].Count) {
			least = i
		}
	}
	if least >= 0 {
		v.Lost += v.List[least].Count
		v.keep(func(i int, _ *Variant) bool { return i != least })
	}
}

// isOften reports whether a meaning has its share.
func (v *Variants) isOften(i int) bool {
	count := v.List[i].Count
	return variantShare*count >= v.Fetches && count >= minVariantCount
}

func (v *Variants) othersOften() bool {
	for i := range v.List {
		if i != v.Reported && v.isOften(i) {
			return true
		}
	}
	return false
}

// isDue reports whether an event about variants is due. A meaning that came and went once might be
// a deployment that was rolled back, so it must keep its share until the window ends.
func (v *Variants) isDue() bool {
	if v == nil {
		return false
	}
	if !v.Told && v.Returns >= 4 && v.Fetches >= minVariantFetches && v.othersOften() {
		return true // even if each change was confirmed and reported
	}
	for i, known := range v.List {
		switch {
		case known.Told, i == v.Current: // which might last, so that it is reported as a change
		case known.Owed, v.Returns >= 3 && v.Fetches >= minVariantFetches && v.isOften(i):
			return true
		}
	}
	return false
}

// isVarying reports whether meanings come back so often that the next one need not last.
func (v *Variants) isVarying() bool { return v != nil && v.Returns > 2 }

// owe keeps the meanings of an event that is due until there is one.
func (v *Variants) owe() {
	for i := range v.List {
		if known := &v.List[i]; !known.Told && v.isOften(i) {
			known.Owed, known.Share, known.Of = true, known.Count, v.Fetches
		}
	}
}

// tell names the meanings that have their share, or had it and were not told.
func (v *Variants) tell() {
	v.Told = true
	for i := range v.List {
		known := &v.List[i]
		switch {
		case v.isOften(i):
			known.Share, known.Of = known.Count, v.Fetches
		case !known.Owed:
			continue
		}
		v.named = append(v.named, *known)
		known.Told, known.Owed = true, false
	}
	slices.SortStableFunc(v.named, func(a, b Variant) int { return cmp.Compare(b.Share, a.Share) })
}

// isNew reports whether the meaning of the last answers, a number of them, was never seen before.
func (v *Variants) isNew(run int) bool {
	if v == nil || v.Current < 0 {
		return true
	}
	known := &v.List[v.Current]
	return known.Count <= run && !known.Told
}

// need returns how many answers in a row confirm a change of a site with variants: more if it has alternated
// more often, and at most three if no event has reported the meaning.
func (v *Variants) need(meaning *Served, c Comparer) int {
	need := min(maxRun, v.Returns)
	isTold := slices.ContainsFunc(v.List, func(known Variant) bool {
		return known.Told && !c.Differ(&known.Served, meaning)
	})
	if !isTold {
		need = min(need, 3)
	}
	return need
}

// report notes what is reported: the last answer, or with isPart a part of it, which is in no list.
func (v *Variants) report(isPart bool) {
	if v == nil {
		return
	}
	v.Reported = v.Current
	if isPart {
		v.Reported = -1
	} else if v.Current >= 0 {
		v.List[v.Current].Told, v.List[v.Current].Owed = true, false
	}
}

// variants returns the changes of an event about variants of a part: first the variants and how often each
// was served, with the gravity of the most serious change between two of them, and then the
// changes of each variant.
func (r *Reader) variants(ctx context.Context, part Part, url string, reported *Served,
	v *Variants) ([]wire.WatchChange, error) {
	gravest, err := r.gravest(ctx, part, url, v.named)
	if err != nil {
		return nil, err
	}
	var texts []string
	var each []wire.WatchChange
	others := v.Fetches
	for i := range v.named {
		known := &v.named[i]
		change, err := r.changesOf(ctx, url, reported, &known.Served, part)
		if err != nil {
			return nil, err
		}
		what := "what was reported last"
		if len(change) > 0 {
			what = change[0].Text
		}
		often := "earlier"
		if known.Of > 0 { // a store of another version does not know the share
			often = fmt.Sprintf("%d of %s", known.Share, term.Count(known.Of, "answer", "answers"))
		}
		texts = append(texts, often+": "+what)
		each = append(each, change...)
		others -= known.Count
		if known.Of != v.Fetches { // of another day
			others = 0
		}
	}
	if others > 0 {
		texts = append(texts, fmt.Sprintf("%d of %s: others, each in fewer than three or a quarter", others,
			term.Count(v.Fetches, "answer", "answers")))
	}
	var summary changes
	summary.add(wire.WatchVariants, gravities[gravest], "serves several variants in turn, "+strings.Join(texts, "; "))
	return append(summary.list, each...), nil
}

// gravest returns the rank of the most serious change between two variants.
func (r *Reader) gravest(ctx context.Context, part Part, url string, list []Variant) (int, error) {
	gravest := len(gravities) - 1
	for i := range list {
		for j := range list {
			between, err := r.changesOf(ctx, url, &list[j].Served, &list[i].Served, part)
			if err != nil {
				return 0, err
			}
			if len(between) > 0 {
				gravest = min(gravest, rank(between[0].Gravity))
			}
		}
	}
	return gravest, nil
}
