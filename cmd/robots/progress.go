package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// progress is a line on standard error that tells how far a run has come. It is
// for a terminal only, comes once there is something to wait for, stays out of
// the way of all other output, and is gone at the end. The nil progress shows
// nothing.
type progress struct {
	screen *os.File
	done   chan struct{}
	drawer sync.WaitGroup

	mu      sync.Mutex
	shown   bool
	midLine bool // the output ends within a line, where the cursor must stay

	urls      int     // answered
	underWay  int     // sites
	fetched   int     // sites, whatever came of it
	unreached int     // those of which nothing did
	share     float64 // of the URLs that is answered, negative if nobody knows
}

const (
	progressDelay = 700 * time.Millisecond
	progressPace  = 200 * time.Millisecond
)

// startProgress starts a progress line if there is a place for it, and has the
// output of t step around it. Its user calls end. Who is typing the URLs sees
// how far it is.
func (t *terminal) startProgress(fromInput bool) *progress {
	screen, ok := t.err.(*os.File)
	if !ok || !isTerminal(screen) || t.noNotes || t.getenv("TERM") == "dumb" || fromInput && isTerminal(t.in) {
		return nil
	}
	p := &progress{screen: screen, done: make(chan struct{}), share: -1}
	t.out, t.err = &besideProgress{p, t.out}, &besideProgress{p, t.err}
	p.drawer.Go(func() {
		wait := time.NewTimer(progressDelay)
		defer wait.Stop()
		for {
			select {
			case <-wait.C:
				p.draw()
				wait.Reset(progressPace)
			case <-p.done:
				return
			}
		}
	})
	return p
}

// end erases the line for good.
func (p *progress) end() {
	if p == nil {
		return
	}
	close(p.done)
	p.drawer.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

// asked, learned and answered count.

func (p *progress) asked() { p.count(func() { p.underWay++ }) }

func (p *progress) learned(fetched, reached bool) {
	p.count(func() {
		p.underWay--
		if fetched {
			p.fetched++
		}
		if fetched && !reached {
			p.unreached++
		}
	})
}

func (p *progress) answered(share float64) {
	p.count(func() {
		p.urls++
		p.share = share
	})
}

func (p *progress) count(change func()) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

func (p *progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.midLine {
		return
	}
	width, _, err := term.GetSize(int(p.screen.Fd()))
	if err != nil || width < 2 {
		width = 80
	}
	fmt.Fprint(p.screen, "\r"+clip(p.line(), width-1)+"\x1b[K")
	p.shown = true
}

// erase takes the line away. The lock is held.
func (p *progress) erase() {
	if p.shown {
		fmt.Fprint(p.screen, "\r\x1b[K")
		p.shown = false
	}
}

// line returns the text of the line. The lock is held.
func (p *progress) line() string {
	text := fmt.Sprintf("URLs %d, sites %d, under way %d", p.urls, p.fetched, p.underWay)
	if p.unreached > 0 {
		text += fmt.Sprintf(", unreachable %d", p.unreached)
	}
	if p.share < 0 {
		return text
	}
	const width = 20
	share := math.Min(p.share, 1) // a list may grow while it is read
	full := int(share * width)
	return fmt.Sprintf("[%s%s] %3.0f%%  %s", strings.Repeat("#", full), strings.Repeat("-", width-full), math.Floor(100*share), text)
}

// besideProgress erases the line before anything else is written.
type besideProgress struct {
	p *progress
	w io.Writer
}

func (b *besideProgress) Write(text []byte) (int, error) {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	b.p.erase()
	if len(text) > 0 && isTerminal(b.w) {
		b.p.midLine = text[len(text)-1] != '\n'
	}
	return b.w.Write(text)
}
