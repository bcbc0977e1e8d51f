package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// String returns the shard as "2/4".
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

const shardKey = "robotstxt.shard"

// shardedTables are the tables of one kind of a crawl with that number of shards.
type shardedTables struct {
	label string
	kind  tableKind
	count int
}

// readShards are the shards of a crawl whose tables were read.
type readShards struct {
	places  []int // of the first table of each audit among all inputs
	indices []int
}

// readShard records the shard of a table. The text is from the table's metadata. It returns
// the place of the table: all shards of an audit share one place, as if they were one table.
func (c *Census) readShard(t Table, kind tableKind, text string) (place int, err error) {
	if text == "" {
		return t.Place, nil
	}
	var s Shard
	if n, err := fmt.Sscanf(text, "%d/%d", &s.Index, &s.Count); n != 2 || err != nil || s.Index < 1 || s.Index > s.Count {
		return 0, tableError(t.Name, fmt.Errorf("%.40q is not a shard", text))
	}
	if c.shards == nil {
		c.shards = map[shardedTables]*readShards{}
	}
	of := shardedTables{t.Label, kind, s.Count}
	if c.shards[of] == nil {
		c.shards[of] = &readShards{}
	}
	read := c.shards[of]
	audit := 0
	for _, index := range read.indices {
		if index == s.Index { // of another audit
			audit++
		}
	}
	if audit == len(read.places) {
		read.places = append(read.places, t.Place)
	}
	read.indices = append(read.indices, s.Index)
	return read.places[audit], nil
}

const maxMissing = 10

// MissingShards returns, for each crawl of which only some shards were read, a sentence about
// the missing shards. Their sites look as if they had vanished.
func (c *Census) MissingShards() (warnings []string) {
	for of, read := range c.shards {
		var missing []string
		for i := 1; i <= of.count && len(missing) <= maxMissing; i++ {
			if !slices.Contains(read.indices, i) {
				missing = append(missing, Shard{i, of.count}.String())
			}
		}
		if len(missing) > 0 {
			crawl := ""
			if of.label != "" {
				crawl = " of " + term.Escape(of.label)
			}
			warnings = append(warnings, fmt.Sprintf("the tables of %s%s lack shard %s: the counts omit its sites", of.kind, crawl,
				strings.TrimSuffix(term.First(missing, maxMissing), ",")))
		}
	}
	slices.Sort(warnings)
	return warnings
}
