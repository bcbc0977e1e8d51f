// Package peers gives the compared parsers one interface: this project, and
// parsers in Go that can be required as modules. Each has a file with an adapter,
// which only calls the functions that the peer's documentation recommends.
package peers

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
)

// Peer is one implementation.
type Peer struct {
	Name   string // short: the owner or the name of the repository
	Module string
	Keeps  bool // keeps a parsed form; otherwise it reads the text for each query

	parse   func(body corpus.Body) (Parsed, error)
	allowed func(body corpus.Body, agent, path string) (bool, error)
	judge   func(body corpus.Body, agent, url string) (bool, error) // nil: the same as allowed
}

// Parsed is a parsed file. It is an interface and not a closure, because a closure
// would add an allocation to the peer's own.
type Parsed interface {
	// For resolves an agent. A crawler does this once for many paths.
	For(agent string) Matcher
}

// Matcher reports whether one agent may fetch a path.
type Matcher func(path string) bool

// Ours is the name of this project among the peers.
const Ours = "kosterhq"

// All returns the peers, this project first.
func All() []*Peer {
	return []*Peer{&kosterhq, &temoto, &jimsmart, &samclarke, &benjaminestes}
}

// Named returns the peer of the given name and panics if there is none.
func Named(name string) *Peer {
	for _, p := range All() {
		if p.Name == name {
			return p
		}
	}
	panic("no peer is called " + name)
}

// Parse reads a body into the peer's parsed form. If the peer panics, the error
// wraps ErrPanic.
func (p *Peer) Parse(body corpus.Body) (parsed Parsed, err error) {
	defer recovered(&err)
	return p.parse(body)
}

// Allowed reads a body to answer one query and keeps nothing.
func (p *Peer) Allowed(body corpus.Body, agent, path string) (allowed bool, err error) {
	defer recovered(&err)
	return p.allowed(body, agent, path)
}

// Judge runs one check of the conformance vectors, whose URLs are absolute or
// invalid. The error wraps ErrInexpressible if the peer's interface cannot express
// the check.
func (p *Peer) Judge(body corpus.Body, agent, url string) (allowed bool, err error) {
	if p.judge == nil {
		return p.Allowed(body, agent, url)
	}
	defer recovered(&err)
	return p.judge(body, agent, url)
}

// Count matches all paths and returns how many are allowed.
func (m Matcher) Count(paths []string) (allowed int, err error) {
	defer recovered(&err)
	for _, path := range paths {
		if m(path) {
			allowed++
		}
	}
	return allowed, nil
}

// Errors of peers that do not answer.
var (
	ErrPanic         = errors.New("panic")
	ErrInexpressible = errors.New("the interface cannot express the check")
)

func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: %v", ErrPanic, r)
	}
}

// Version returns the version of the peer's module in this binary. It is "" if the
// binary does not contain it, like a test binary, and for this project.
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
