package main

import (
	"hash/fnv"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

// link is two domains, one of which redirects to the other.
type link struct{ From, To string }

func init() {
	register.DoFn4x0[string, capture, func(*link) bool, func(int, capture)](&bucketFn{})
	register.Emitter2[int, capture]()
	register.Iter1[link]()
}

// buckets bounds the number of workers that count.
const buckets = 4096

// bucketFn emits captures by the bucket of their domain. Domains connected by redirects share a
// bucket, so that redirects can be followed within it.
type bucketFn struct {
	parents map[string]string // of domains with links to others, see root; nil before the first capture
}

func (f *bucketFn) ProcessElement(domain string, c capture, links func(*link) bool, emit func(int, capture)) {
	if f.parents == nil {
		f.parents = map[string]string{}
		for l := (link{}); links(&l); l = (link{}) {
			f.join(l.From, l.To)
		}
	}
	hash := fnv.New32a()
	io.WriteString(hash, f.root(domain))
	emit(int(hash.Sum32()%buckets), c)
}

// join connects the domains of a link. The root of connected domains is the first one
// alphabetically, whatever the order of the links.
func (f *bucketFn) join(a, b string) {
	a, b = f.root(a), f.root(b)
	if a != b {
		f.parents[max(a, b)] = min(a, b)
	}
}

// root returns the domain that represents all domains connected with one.
func (f *bucketFn) root(domain string) string {
	for {
		parent, ok := f.parents[domain]
		if !ok {
			return domain
		}
		if above, ok := f.parents[parent]; ok {
			f.parents[domain] = above
		}
		domain = parent
	}
}
