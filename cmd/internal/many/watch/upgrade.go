package watch

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
	"github.com/kosterhq/robotstxt/origin"
)

// upgrade makes a store of version 1, in which a site has one state, one of version 2, in which each part has.
// What is not pending follows from the reported answer. Damaged rows stay as they are.
func upgrade(c *sqlitefile.Conn) error {
	if _, err := c.Exec("ALTER TABLE sites ADD COLUMN " + sqlParts); err != nil {
		return err
	}
	const pending = `SELECT id FROM sites WHERE instr(state, CAST('"variants":' AS BLOB)) +
		instr(state, CAST('"differs":' AS BLOB)) > 0`
	var ids []int64
	err := c.Query(pending, nil, func(row []driver.Value) error {
		var id int64
		sqlitefile.Scan(row, &id)
		ids = append(ids, id)
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := upgradeSite(c, id); err != nil {
			return err
		}
	}
	return nil
}

// stateOne is a state in version 1, of the whole site. It has no pending answer but among the variants.
type stateOne struct {
	State
	Differs      time.Time    `json:"differs,omitzero"`
	VariantsTold time.Time    `json:"variants_told,omitzero"`
	Variants     *variantsOne `json:"variants"`
}

type variantsOne struct {
	Variants
	Run      int       `json:"run"`       // the number of answers in a row with the last meaning
	RunBegan time.Time `json:"run_began"` // the time of the first of them
}

func upgradeSite(c *sqlitefile.Conn, id int64) error {
	const get = "SELECT origin, state, body, size, expected, sum FROM sites WHERE id = ?"
	var site, expected string
	var state, body []byte
	var size, sum int64
	if _, err := c.Row(get, []driver.Value{id}, &site, &state, &body, &size, &expected, &sum); err != nil {
		return err
	}
	var rules stateOne
	if sum != siteSum(site, state, body, expected, nil) || json.Unmarshal(state, &rules) != nil ||
		rules.Reported == nil {
		return nil
	}
	text, err := sqlitefile.Decompress(body, size)
	if err != nil {
		return nil
	}
	rules.Reported.Body = text
	var parts []byte
	err = panics.Contain(site, &rules.Reported.Body, func() (err error) {
		states := split(site, &rules)
		state, err = json.Marshal(states[RulesPart])
		if err == nil {
			parts, err = states.encodeParts()
		}
		return err
	})
	if err != nil {
		return nil // all of it stays the state of the rules
	}
	_, err = c.Exec("UPDATE sites SET state = ?, parts = ?, sum = ? WHERE id = ?", state, parts,
		siteSum(site, state, body, expected, parts), id)
	return err
}

// split returns the states of the parts of a site from the state of the whole site.
func split(site string, whole *stateOne) (states States) {
	url := site
	if o, err := origin.Of(site); err == nil {
		url = o.RobotsURL()
	}
	memory := (&Reader{}).memory(context.Background(), url)
	reported := derived(whole.Reported)
	for _, part := range allParts {
		s := &states[part]
		s.Checked = whole.Checked
		s.Reported = reported[part]
		if part == RulesPart {
			s.Reported = whole.Reported
			s.FaultSince = whole.FaultSince
			s.Reverted = whole.Reverted
			if s.Reported.Fault != "" && s.Reported.Outcome != "" && !whole.Differs.IsZero() { // its end is pending
				s.Lasting = []Lasting{{Answer: &Kept{*s.Reported.down(Served{})}, Since: whole.Differs, Run: 1}}
			}
		}
		if whole.Variants == nil || s.Reported == nil {
			continue
		}
		v := whole.Variants.of(part, memory.of(part))
		if len(v.List) == 1 && v.Reported == 0 {
			continue // nothing of this part has changed
		}
		s.Variants = v
		s.Told = whole.VariantsTold
		if v.Current >= 0 && v.Current != v.Reported && !whole.Differs.IsZero() {
			s.Lasting = []Lasting{{Answer: &Kept{v.List[v.Current].Served},
				Since: latestOf(whole.Differs, whole.Variants.RunBegan), Run: whole.Variants.Run}}
		}
		if v.Told && v.Lost > 0 { // the event about variants was about more than can be kept
			s.FreshTold = whole.VariantsTold
			s.FreshAt = whole.Checked
			s.Variants, s.Lasting = nil, nil
			for i := range v.List { // what only the reported answer said is told
				if i != v.Reported {
					s.Reported = part.reduced(s.Reported, part.statements(&v.List[i].Served))
				}
			}
		}
	}
	return states
}

// of returns the variants of a part: those that mean the same in it are one.
func (v *Variants) of(part Part, c Comparer) *Variants {
	merged := *v
	merged.List = nil
	merged.Reported = -1
	merged.Current = -1
	for i, known := range v.List {
		served, ok := part.of(&known.Served)
		if !ok {
			continue
		}
		known.Served = served
		at := slices.IndexFunc(merged.List,
			func(m Variant) bool { return m.same(&served) || !c.Differ(&m.Served, &served) })
		if at < 0 {
			at = len(merged.List)
			merged.List = append(merged.List, known)
		} else {
			m := &merged.List[at]
			m.Count += known.Count
			m.Told = m.Told || known.Told
			m.Owed = (m.Owed || known.Owed) && !m.Told
		}
		if i == v.Reported {
			merged.Reported = at
		}
		if i == v.Current {
			merged.Current = at
		}
	}
	return &merged
}

func latestOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
