// Package peers puts the parsers under comparison into one form: this project
// and those written in Go that can be required as modules. Each has a file with
// an adapter, which calls what the peer's own documentation tells to call and
// adds nothing.
package peers

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// Peer is one implementation.
type Peer struct {
	Name   string // short: the owner or the name, whichever tells it apart
	Module string
	Keeps  bool // a parsed form; otherwise it reads the text anew for each question

	parse   func(body corpus.Body) (Parsed, error)
	allowed func(body corpus.Body, agent, path string) (bool, error)
	judge   func(body corpus.Body, agent, url string) (bool, error)
}

// Parsed is a parsed file. It is an interface because a pointer fits into one: a
// closure would be an allocation that no peer makes.
type Parsed interface {
	// For resolves an agent, the part of a question that a crawler asks once.
	For(agent string) Matcher
}

// Matcher answers for one agent whether it may fetch a path.
type Matcher func(path string) bool

// Ours is the name of this project among the peers.
const Ours = "kosterhq"

// All returns the peers, ours first.
func All() []*Peer {
	return []*Peer{&kosterhq, &temoto, &jimsmart, &samclarke, &benjaminestes}
}

// Named returns the peer of that name, which must be one of All.
func Named(name string) *Peer {
	for _, p := range All() {
		if p.Name == name {
			return p
		}
	}
	panic("no peer is called " + name)
}

// Parse reads a body as the peer does before it is asked. A panic is an error
// that wraps ErrPanic.
func (p *Peer) Parse(body corpus.Body) (parsed Parsed, err error) {
	defer recovered(&err)
	return p.parse(body)
}

// Allowed answers one question about a body, keeping nothing.
func (p *Peer) Allowed(body corpus.Body, agent, path string) (allowed bool, err error) {
	defer recovered(&err)
	return p.allowed(body, agent, path)
}

// Judge answers one question of the conformance vectors, whose URLs are
// absolute or not URLs at all. The error wraps ErrInexpressible where the
// peer's interface has no way to ask.
func (p *Peer) Judge(body corpus.Body, agent, url string) (allowed bool, err error) {
	defer recovered(&err)
	return p.judge(body, agent, url)
}

// Count asks about all paths and returns how many are allowed.
func (m Matcher) Count(paths []string) (allowed int, err error) {
	defer recovered(&err)
	for _, path := range paths {
		if m(path) {
			allowed++
		}
	}
	return allowed, nil
}

// The ways not to answer.
var (
	ErrPanic         = errors.New("panic")
	ErrInexpressible = errors.New("cannot be asked")
)

func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: %v", ErrPanic, r)
	}
}

// Version returns the version of the peer's module that is linked in, "" if it
// cannot be told, as in a test binary. Ours has none: it is the checkout.
func (p *Peer) Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && p.Name != Ours {
		for _, module := range info.Deps {
			if module.Path == p.Module {
				return module.Version
			}
		}
	}
	return ""
}
