package audit

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/origin"
)

// coverage is what a table covers: the inputs of its audit.
type coverage struct {
	table  Table
	kind   tableKind
	shard  string
	inputs map[string]string // SHA-256 by name, "" if unknown
	errors map[string]string // of incomplete inputs, by name
}

// AreTables reports whether all inputs are tables, apart from those that end early.
func (in *Inputs) AreTables() bool {
	return len(in.Tables) > 0 && !slices.ContainsFunc(in.Sources, func(s Source) bool {
		_, isUnread := s.(*unread)
		return !isUnread
	})
}

// Cover compares the tables with a list of the inputs from which they were made, such as those of a cluster, where a
// task can be repeated. It removes a table whose inputs another one of the same crawl and kind has: the number of these
// is repeated. incomplete has an error for each listed input that has no table, or only incomplete ones; err is about
// tables of which only some inputs are the same, or of which one input has other bytes.
func (in *Inputs) Cover(listed []string) (incomplete []*InputError, repeated int, err error) {
	var all []*coverage
	for _, table := range in.Tables {
		c, err := coverageOf(table)
		if err != nil {
			return nil, 0, err
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b *coverage) int { return cmp.Compare(len(a.errors), len(b.errors)) })
	dropped, err := repeatedTables(all)
	if err != nil {
		return nil, 0, err
	}
	in.Tables = slices.DeleteFunc(in.Tables, func(t Table) bool { return dropped[t.Place] })
	return uncovered(all, listed), len(dropped), nil
}

// repeatedTables returns the places of the tables whose inputs others have.
func repeatedTables(all []*coverage) (places map[int]bool, err error) {
	type group struct{ label, kind, shard string }
	seen := map[group]map[string]*coverage{} // the first table of an input, by its name and its digest
	places = map[int]bool{}
	for _, c := range all {
		of := group{c.table.Label, string(c.kind), c.shard}
		if seen[of] == nil {
			seen[of] = map[string]*coverage{}
		}
		tables := seen[of]
		again := 0
		for name, sum := range c.inputs {
			first := tables[name]
			if first != nil && c.errors[name] == "" && sum != "" && first.inputs[name] != "" && first.inputs[name] != sum {
				return nil, term.Errorf("%s and %s have the input %s with different bytes", term.Source(first.table.Name),
					term.Source(c.table.Name), term.Escape(name)).Hint("omit the table of the older one; if these are two inputs, audit them again with different names")
			}
			if first != nil || tables[sum] != nil {
				again++
			}
		}
		switch {
		case again > 0 && again == len(c.inputs):
			places[c.table.Place] = true
			continue
		case again > 0:
			return nil, term.Errorf("%s repeats %d of the %d inputs of other tables", term.Source(c.table.Name), again,
				len(c.inputs)).Hint("audit the inputs again, each once")
		}
		for name, sum := range c.inputs {
			tables[name] = c
			if sum != "" {
				tables[sum] = c
			}
		}
	}
	return places, nil
}

// uncovered returns an error for each listed input that a kind of tables does not cover. A table without a label can
// have the rows of any crawl.
func uncovered(all []*coverage, listed []string) (errs []*InputError) {
	kinds := map[tableKind]map[string][]*coverage{} // by the inputs that tables have
	for _, c := range all {
		if kinds[c.kind] == nil {
			kinds[c.kind] = map[string][]*coverage{}
		}
		for name := range c.inputs {
			kinds[c.kind][name] = append(kinds[c.kind][name], c)
		}
	}
	seen := map[string]bool{}
	for _, argument := range listed {
		if seen[argument] {
			continue
		}
		seen[argument] = true
		label, _ := labelled(argument)
		name := recordedName(argument)
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			failed := fmt.Errorf("no table of %s has it", kind)
			for _, c := range kinds[kind][name] {
				if label != "" && c.table.Label != "" && label != c.table.Label {
					continue
				}
				text := c.errors[name]
				if text == "" {
					failed = nil
					break
				}
				failed = fmt.Errorf("its table %s is not complete: %s", term.Source(c.table.Name), term.Escape(text))
			}
			if failed != nil {
				errs = append(errs, &InputError{Input: name, Err: failed})
				break
			}
		}
	}
	return errs
}

// recordedName returns the name of an argument as provenances have it.
func recordedName(argument string) string {
	_, name := labelled(argument)
	if IsURL(name) {
		name = origin.Text(name).Given()
	}
	return origin.WithoutPasswords(name)
}

// coverageOf reads what a table covers: from its provenance, and, if that is missing or has a part of the inputs, from
// its rows.
func coverageOf(table Table) (c *coverage, err error) {
	head, err := headIn(table.Name)
	if err != nil {
		return nil, err
	}
	c = &coverage{table: table, kind: kindOf(head.columns), shard: head.shard,
		inputs: map[string]string{}, errors: map[string]string{}}
	var made wire.AuditProvenance
	if head.provenance != "" {
		if err := json.Unmarshal([]byte(head.provenance), &made); err != nil {
			return nil, tableError(table.Name, errors.New("its provenance is damaged"))
		}
	}
	for _, input := range made.Inputs[:min(len(made.Inputs), maxDigests)] {
		c.inputs[input.Name] = input.SHA256
	}
	for _, input := range made.Incomplete {
		c.errors[input.Input] = input.Error
	}
	if head.provenance == "" || len(made.Inputs) > maxDigests {
		err = textsIn(table.Name, "input", func(name string) {
			if _, known := c.inputs[name]; !known {
				c.inputs[name] = ""
			}
		})
	}
	return c, err
}
