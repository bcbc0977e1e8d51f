package audit

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Strata are groups of hosts, such as countries or ranges of ranks.
type Strata struct {
	Names []string
	of    map[string]int // by host
}

const maxStrata = 1000

// fewNumbers is the largest number of different numbers that are separate strata. More numbers
// are ranks.
const fewNumbers = 20

// ReadStrata reads the strata of hosts from a CSV file whose first row names the columns: one
// with the host, and the given column. A column with many numbers contains ranks, whose strata
// are ranges; texts that are not numbers have a separate stratum. If a host has two numbers, the lower one applies; two
// different texts are an error.
func ReadStrata(file io.Reader, column string) (*Strata, error) {
	return readStrata(file, column, keptRows{left: maxKeptRows})
}

func readStrata(file io.Reader, column string, kept keptRows) (*Strata, error) {
	values := map[string]string{}
	distinct := map[string]bool{}
	filled, numbers := 0, 0
	err := hostValues(file, column, func(host, value string) error {
		filled++
		if isRank(value) {
			numbers++
		}
		before, known := values[host]
		if !known && !kept.add(host, value) {
			return errManyBytes
		}
		if known && before != value {
			if !isRank(before) || !isRank(value) {
				return term.Errorf("the column %q has both %q and %q for %s", column, before, value, term.Escape(host)).Hint("write one row for each host")
			}
			value = lowerRank(before, value)
		}
		values[host] = value
		if len(distinct) <= maxStrata {
			distinct[value] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	areRanks := numbers*10 >= filled*9 && len(distinct) > fewNumbers // a few might be misspelt
	if !areRanks && len(distinct) > maxStrata {
		return nil, term.Errorf("the column %q has more than %d values", column, maxStrata).Hint("choose a column with fewer values, or with numbers, which become ranges")
	}
	return newStrata(values, areRanks), nil
}

// hostValues calls yield with the host and the value of a column in each row of a CSV file in which the value is not
// empty. The first row names the columns.
func hostValues(file io.Reader, column string, yield func(host, value string) error) error {
	rows := newBoundedRows(file)
	head, row, err := readHead(rows)
	if err != nil {
		return fmt.Errorf("the names of the columns cannot be read: %w", err)
	}
	at := slices.Index(head, column)
	host := hostColumn(head)
	if at < 0 || host < 0 {
		return term.Errorf("there is no column %q, or no column of hosts", column).Hint("its first row names the columns: " + term.First(head, 20))
	}
	for filled := 0; ; row = nil {
		if row == nil {
			row, err = rows.Read()
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		value := strings.Clone(strings.TrimSpace(row[at])) // without the rest of the row
		if value == "" {
			continue
		}
		if filled++; filled > maxListed {
			return errManyRows
		}
		if err := yield(strings.Clone(canonicalHost(row[host], "")), value); err != nil {
			return err
		}
	}
}

// rankedHead is the head for a list of ranks and hosts that has none, such as Tranco's.
var rankedHead = []string{"rank", "host"}

// readHead reads the names of the columns of a CSV file with hosts. If the first row already
// has a rank and a host, it is returned too.
func readHead(rows boundedRows) (head, first []string, err error) {
	head, err = rows.Read()
	if err == nil && len(head) == len(rankedHead) && isRank(head[0]) && strings.Contains(head[1], ".") {
		return rankedHead, head, nil
	}
	return head, nil, err
}

// hostColumn returns the index of the column of hosts, -1 if there is none.
func hostColumn(head []string) int {
	return slices.IndexFunc(head, func(name string) bool {
		return slices.Contains(contents[0].likely, strings.ToLower(name))
	})
}

// lowerRank returns the lower one of two numbers.
func lowerRank(a, b string) string {
	x, _ := strconv.ParseUint(a, 10, 62)
	y, _ := strconv.ParseUint(b, 10, 62)
	if x < y {
		return a
	}
	return b
}

func isRank(value string) bool {
	_, err := strconv.ParseUint(value, 10, 62)
	return err == nil
}

func newStrata(values map[string]string, areRanks bool) *Strata {
	s := &Strata{of: map[string]int{}}
	order := map[string]int{}
	for host, value := range values {
		position := 0
		if areRanks {
			value, position = rankRange(value)
		}
		order[value] = position
		values[host] = value
	}
	order[Unlisted] = maxStrata + 1
	byOrder := func(a, b string) int { return cmp.Or(order[a]-order[b], strings.Compare(a, b)) }
	s.Names = slices.SortedFunc(maps.Keys(order), byOrder)
	for host, value := range values {
		s.of[host], _ = slices.BinarySearchFunc(s.Names, value, byOrder)
	}
	return s
}

// Unlisted is the stratum of sites that have no row.
const Unlisted = "unlisted"

// notRank is the stratum of texts in a column of ranks that are not numbers.
const notRank = "no number"

// rankRange returns the range of a rank, and its position: 1 to 1,000, and then by powers
// of ten.
func rankRange(value string) (name string, position int) {
	if !isRank(value) {
		return notRank, maxStrata // after the ranges
	}
	rank, _ := strconv.Atoi(value)
	from, to := 1, 1000
	for rank > to && position < 15 {
		from, to = to+1, to*10
		position++
	}
	return term.Thousands(from) + " to " + term.Thousands(to), position
}

// Of returns the index of a site's stratum. A host without a row has the stratum of the host
// without "www.", else Unlisted.
func (s *Strata) Of(site string) int {
	site = hostOf(site)
	for _, host := range []string{site, strings.TrimPrefix(site, "www.")} {
		if at, ok := s.of[host]; ok {
			return at
		}
	}
	return len(s.Names) - 1 // Unlisted
}

// hostOf returns the host of a site, or its domain.
func hostOf(site string) string {
	if _, host, ok := strings.Cut(site, "://"); ok {
		site = host
	}
	site, _, _ = strings.Cut(site, " ") // without the place of a capture
	return site
}
