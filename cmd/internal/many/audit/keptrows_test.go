package audit_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// generated is a text of which row returns the parts, until it returns "".
type generated struct {
	row  func(n int) string
	n    int
	rest string
}

func (g *generated) Read(to []byte) (int, error) {
	if g.rest == "" {
		g.rest = g.row(g.n)
		g.n++
	}
	if g.rest == "" {
		return 0, io.EOF
	}
	n := copy(to, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

// TestKeptRows: tables that are kept in memory end with an error when their different rows need more than the limit,
// before the rows take much more. The same row again, and columns that are not kept, need nothing.
func TestKeptRows(t *testing.T) {
	const limit = 1 << 20
	const rows = 20_000
	padding := strings.Repeat("x", 50_000)
	until := func(most int, row func(n int) string) func(n int) string {
		return func(n int) string {
			if n == most {
				return ""
			}
			return row(n)
		}
	}
	names := func(table io.Reader) (any, error) { return audit.ReadHostNamesWithin(limit, table) }
	strata := func(table io.Reader) (any, error) { return audit.ReadStrataWithin(limit, table, "rank") }
	for name, test := range map[string]struct {
		read   func(table io.Reader) (any, error)
		row    func(n int) string
		within bool
	}{
		"different names": {names, until(rows, func(n int) string { return fmt.Sprintf("%d.txt,shop.example\n", n) }), false},
		"without an end":  {names, func(n int) string { return fmt.Sprintf("%d.txt,shop.example\n", n) }, false},
		"the same name":   {names, until(rows, func(n int) string { return fmt.Sprintf("a.txt,shop%d.example\n", n) }), true},
		"different hosts": {strata, func(n int) string { return "rank,host\n"[:10*max(0, 1-n)] + fmt.Sprintf("1,a%d.example\n", n) }, false},
		"the same host":   {strata, until(rows, func(n int) string { return "rank,host\n"[:10*max(0, 1-n)] + "1,a.example\n" }), true},
		"unused long cell": {strata, until(2000, func(n int) string {
			return "rank,host,x\n"[:12*max(0, 1-n)] + fmt.Sprintf("1,a%d.example,%s\n", n, padding)
		}), true},
	} {
		table := &generated{row: test.row}
		kept, err := test.read(table)
		if (err == nil) != test.within || err != nil && !strings.Contains(err.Error(), "of memory") {
			t.Errorf("%s: %v", name, err)
		}
		if !test.within && table.n > 2*limit/64 {
			t.Errorf("%s: %d rows were read", name, table.n)
		}
		var memory runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&memory)
		if memory.HeapAlloc > 60<<20 {
			t.Errorf("%s: %d MiB are in use", name, memory.HeapAlloc>>20)
		}
		runtime.KeepAlive(kept)
	}
}
