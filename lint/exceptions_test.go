package lint_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/lint"
)

// TestOrder: the order of the inspectors changes nothing.
func TestOrder(t *testing.T) {
	bodies, names := witness.Corpora(t)
	for _, e := range lint.Catalogue() {
		bodies, names = append(bodies, []byte(e.Bad)), append(names, string(e.Code))
	}
	configs := []lint.Config{{}, {Profile: lint.Yandex}, {Pedantic: true, MaxFindings: -1, MaxPerCode: -1}}
	r := rand.New(rand.NewPCG(64, 5))
	for i, body := range bodies {
		config := configs[i%len(configs)]
		want := lint.Inspect(body, config)
		lint.Shuffle(r.Shuffle)
		if got := lint.Inspect(body, config); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: in another order found\n%+v\nnot\n%+v", names[i], got, want)
		}
	}
}

// TestExceptions: each row of the table has codes that exist, and says why.
func TestExceptions(t *testing.T) {
	for _, e := range lint.Exceptions() {
		if len(e.By) == 0 || len(e.Hides) == 0 || e.Place == "" || e.Why == "" || slices.Equal(e.By, e.Hides) {
			t.Errorf("a row hides nothing, or does not say why: %+v", e)
		}
	}
}

// TestMisreadHides: as long as a finding means that crawlers do not read a line as its author meant it, no rule of its
// group is said to be redundant.
func TestMisreadHides(t *testing.T) {
	t.Parallel()
	bodies, names := witness.Corpora(t)
	for i, body := range bodies {
		groups := groupsOfLines(body)
		misread := map[int]lint.Finding{}
		findings := allFindings(body, false)
		for _, f := range findings {
			if lint.Unclear(f.Code) && groups[f.Line] > 0 {
				misread[groups[f.Line]] = f
			}
		}
		for _, f := range findings {
			if m := misread[groups[f.Line]]; m.Line > 0 && (f.Code == "RX208" || f.Code == "RX210") {
				t.Errorf("%s: line %d is said to be redundant, but line %d has %s", names[i], f.Line, m.Line, m.Code)
			}
		}
	}
}

// groupsOfLines returns the group of each line with a rule or an agent, from 1.
func groupsOfLines(body []byte) map[int]int {
	groups := map[int]int{}
	n := 0
	for g := range robotstxt.Parse(body).Groups() {
		n++
		for a := range g.Agents() {
			groups[a.Line] = n
		}
		for r := range g.Rules() {
			groups[r.Line] = n
		}
	}
	return groups
}

// TestChecksKnowNoOther: only two files decide whether and how severely a candidate is reported.
func TestChecksKnowNoOther(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || name == "exceptions.go" || name == "finder.go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if assigned, ok := n.(*ast.AssignStmt); ok {
				for _, to := range assigned.Lhs {
					s, ok := to.(*ast.SelectorExpr)
					if ok && slices.Contains([]string{"Severity", "findings", "marks"}, s.Sel.Name) {
						t.Errorf("%s: %s changes", name, s.Sel.Name)
					}
				}
			}
			return true
		})
	}
}
