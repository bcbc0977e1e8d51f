package language

import (
	"cmp"
	_ "embed" // the reasons, which the page has too
	"fmt"
	"sync"
)

//go:embed reasons.json
var embedded []byte

// reasons are the sentences of package fetch about its results, of which the first that fits is used, and why a
// site did not respond, by the kind of the fault.
var reasons = sync.OnceValue(func() reasonTable { return read[reasonTable](embedded) })

type reasonTable struct {
	Reasons []struct {
		Tool string
		words
	}
	Faults map[string]words
}

// words are a text in each language. English is empty if it is as the tool prints it.
type words struct{ En, De string }

func (w words) in(l Language) string {
	if l == German {
		return w.De
	}
	return w.En
}

// Reason returns the reason of a fetch for readers who have no policy to choose and no log to read.
func (l Language) Reason(english string) string {
	for _, r := range reasons().Reasons {
		if values := valuesOf(r.Tool, english); values != nil {
			return fmt.Sprintf(cmp.Or(r.in(l), r.Tool), l.times(values)...)
		}
	}
	return l.Phrase(english)
}

// Fault returns why a site did not respond, "" for an unknown kind.
func (l Language) Fault(kind string) string { return reasons().Faults[kind].in(l) }
