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
	// minVariantCount answers: two bad ones of eight are no variant.
	variantShare    = 4
	minVariantCount = 3

	// maxVariants bounds the meanings that are kept. It is twice the number that can have that
	// share, so that none of those is lost, see count.
	maxVariants = 2 * variantShare

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

	Lost     int `json:"lost,omitempty"`    // the number that each count might lack, see count
	Reported int `json:"reported"`          // index in List, -1 if it is not there
	Current  int `json:"current"`           // the index of the last answer in List, -1 if it is not there
	Returns  int `json:"returns,omitempty"` // the number of times that a meaning came back after others
}

// Variant is a meaning.
type Variant struct {
	Served
	Count int  `json:"count"`
	Told  bool `json:"told,omitempty"` // an event has reported it
	Owed  bool `json:"owed,omitempty"` // the next event will report it
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
	return &c
}

// next returns the variants after an answer: nil if the site has none. differ reports whether the
// answer differs from the reported one, and compare compares it with others.
func (v *Variants) next(reported *Served, o *Observation, differ bool, compare Compare) *Variants {
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
			func(known Variant) bool { return known.same(&o.Served) || len(compare(&known.Served, &o.Served)) == 0 })
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
	v.keep(func(i int, known *Variant) bool {
		known.Owed = !known.Told && (known.Owed || v.Returns > 0 && v.isOften(i))
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
// list is full, a new meaning instead subtracts one from each other count. So a count lacks at
// most Lost, which is less than a share of 1/variantShare. (Misra and Gries, 1982)
func (v *Variants) count(at int, o *Observation) {
	v.Fetches++
	isKnown := at >= 0 && (v.List[at].Count > 0 || v.List[at].Told)
	if at >= 0 {
		v.List[at].Served = o.Served // the newest text with this meaning
		v.List[at].Count++
	} else if len(v.List) < maxVariants {
		at = len(v.List)
		v.List = append(v.List, Variant{Served: o.Served, Count: 1})
	} else {
		v.drop()
	}
	if isKnown && at != v.Current {
		v.Returns++
	}
	v.Current = at
}

// drop subtracts one from each count, and removes meanings whose count is zero.
func (v *Variants) drop() {
	v.Lost++
	v.keep(func(i int, known *Variant) bool {
		known.Count = max(0, known.Count-1)
		return known.Count > 0 || i == v.Reported || known.Owed
	})
}

// isOften reports whether a meaning might have its share. One that has is seen more often than its count can lack.
func (v *Variants) isOften(i int) bool {
	count := v.List[i].Count + v.Lost
	return variantShare*count >= v.Fetches && count >= minVariantCount && v.List[i].Count > v.Lost
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
		v.List[i].Owed = v.List[i].Owed || !v.List[i].Told && v.isOften(i)
	}
}

func (v *Variants) tell() {
	v.Told = true
	for i := range v.List {
		v.List[i].Told, v.List[i].Owed = true, false
	}
}

// isNew reports whether the meaning of the last answer was never seen before.
func (v *Variants) isNew() bool {
	if v == nil || v.Current < 0 {
		return true
	}
	known := &v.List[v.Current]
	return known.Count <= 1 && !known.Told
}

// need returns how many answers in a row confirm a change of a site with variants: more if it has alternated
// more often, and at most three if no event has reported the meaning.
func (v *Variants) need(meaning *Served, compare Compare) int {
	need := min(maxRun, v.Returns)
	isTold := slices.ContainsFunc(v.List, func(known Variant) bool {
		return known.Told && len(compare(&known.Served, meaning)) == 0
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
	list := slices.Clone(v.List)
	slices.SortStableFunc(list, func(a, b Variant) int { return cmp.Compare(b.Count, a.Count) })
	gravest, err := r.gravest(ctx, part, url, list)
	if err != nil {
		return nil, err
	}
	var texts []string
	var each []wire.WatchChange
	for i := range list {
		often := fmt.Sprintf("%d of %s", list[i].Count, term.Count(v.Fetches, "answer", "answers"))
		change, err := r.changesOf(ctx, url, reported, &list[i].Served, part)
		if err != nil {
			return nil, err
		}
		what := "what was reported last"
		if len(change) > 0 {
			what = change[0].Text
		}
		texts = append(texts, often+": "+what)
		each = append(each, change...)
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
