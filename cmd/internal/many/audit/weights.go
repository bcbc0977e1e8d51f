package audit

import (
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Weights are the weights of hosts, such as numbers of visits or of tokens. nil has none.
type Weights struct{ by map[string]float64 }

// maxWeight bounds a weight, so that sums stay numbers.
const maxWeight = 1e18

// ReadWeights reads the weights of hosts from a CSV file whose first row names the columns: one with the host, and the
// given column. A host whose cell is empty is not listed. A host with two weights is an error, because they could be
// parts of a sum or a mistake.
func ReadWeights(file io.Reader, column string) (*Weights, error) {
	w := &Weights{map[string]float64{}}
	kept := keptRows{left: maxKeptRows}
	err := hostValues(file, column, func(host, value string) error {
		weight, err := strconv.ParseFloat(value, 64)
		if err != nil || strings.Contains(value, "_") || !(weight >= 0 && weight <= maxWeight) {
			return term.Errorf("the column %q has %q for %s, which is not a weight", column, value, term.Escape(host)).Hint("use numbers from 0 to 1e18, without separators; an empty cell has no weight")
		}
		if _, known := w.by[host]; known {
			return term.Errorf("the column %q has two weights for %s", column, term.Escape(host)).Hint("write one row for each host, without repeating it as a URL or in capitals")
		}
		if !kept.add(host, "12345678") {
			return errManyBytes
		}
		w.by[host] = weight
		return nil
	})
	return w, err
}

// of returns the weight of a site, nil if it is not listed.
func (w *Weights) of(site string) *float64 {
	if w == nil {
		return nil
	}
	weight, ok := w.by[hostOf(site)]
	if !ok {
		return nil
	}
	return &weight
}

// sum is a number of sites and the sum of their weights.
type sum struct {
	sites  int
	weight float64
}

// sums adds up the sites that have something in common, in the order in which they come.
type sums[K comparable] struct {
	by    map[K]*sum
	order []K
}

// add adds a site with its weight, nil if it has none.
func (s *sums[K]) add(key K, weight *float64) {
	if s.by == nil {
		s.by = map[K]*sum{}
	}
	of := s.by[key]
	if of == nil {
		of = &sum{}
		s.by[key] = of
		s.order = append(s.order, key)
	}
	of.sites++
	of.weight += valueOf(weight)
}

func (s *sums[K]) all() iter.Seq2[K, sum] {
	return func(yield func(K, sum) bool) {
		for _, key := range s.order {
			if !yield(key, *s.by[key]) {
				return
			}
		}
	}
}
