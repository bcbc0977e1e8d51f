package term

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

// Progress is a line on a terminal that shows the progress of a run over many sites. It
// appears after a delay, disappears before any other output, and ends with End. A nil
// Progress shows nothing.
type Progress struct {
	screen *os.File
	began  time.Time
	done   chan struct{}
	drawer sync.WaitGroup

	mu      sync.Mutex
	shown   bool
	midLine bool // the output ends within a line, where the cursor must stay

	urls      int     // URLs that were answered
	underWay  int     // sites that are being fetched
	fetched   int     // sites that were fetched, with any outcome
	unreached int     // sites that did not answer
	share     float64 // of answered URLs, negative if unknown

	files func() Done // nil: URLs and sites are counted
}

// Done is what a run over files has done so far.
type Done struct {
	Files   int
	Share   float64 // of all files, as for Answered
	Bytes   int64   // that were downloaded, 0 without a download
	Earlier Earlier
}

// Earlier is the part of a run that an earlier one has done, which took no time now.
type Earlier struct {
	Files int
	Share float64
}

const (
	progressDelay = 700 * time.Millisecond
	progressPace  = 200 * time.Millisecond
	paceDelay     = 3 * time.Second // until a rate means something
)

// StartProgress starts a progress line on t.Err and makes t.Out and t.Err erase it
// before they write. The caller calls End. StartProgress returns nil if t.Err is not a
// terminal, or if the user types the URLs on the terminal.
func (t *Terminal) StartProgress(fromInput bool) *Progress {
	screen, ok := t.Err.(*os.File)
	if !ok || !IsTerminal(screen) || t.Quiet || t.Getenv("TERM") == "dumb" || fromInput && IsTerminal(t.In) {
		return nil
	}
	p := &Progress{screen: screen, began: time.Now(), done: make(chan struct{}), share: -1}
	t.Out, t.Err = &besideProgress{p, t.Out}, &besideProgress{p, t.Err}
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

// End erases the line and stops the progress.
func (p *Progress) End() {
	if p == nil {
		return
	}
	close(p.done)
	p.drawer.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

// Started counts a site whose fetch begins.
func (p *Progress) Started() { p.count(func() { p.underWay++ }) }

// Finished counts a started site: whether it was fetched rather than found in a
// cache, and whether it answered.
func (p *Progress) Finished(fetched, reached bool) {
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

// Answered counts a URL. The share of all URLs up to it is from 0 to 1, negative
// if unknown.
func (p *Progress) Answered(share float64) {
	p.count(func() {
		p.urls++
		p.share = share
	})
}

// Files makes the progress count files instead of URLs.
func (p *Progress) Files(count func() Done) {
	p.count(func() { p.files = count })
}

func (p *Progress) count(change func()) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

func (p *Progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.midLine {
		return
	}
	width, _, err := term.GetSize(int(p.screen.Fd()))
	if err != nil || width < 2 {
		width = 80
	}
	fmt.Fprint(p.screen, "\r"+Clip(p.line(time.Since(p.began)), width-1)+"\x1b[K")
	p.shown = true
}

// erase removes the line from the screen. The caller holds the lock.
func (p *Progress) erase() {
	if p.shown {
		fmt.Fprint(p.screen, "\r\x1b[K")
		p.shown = false
	}
}

// line returns the text of the line at a time since the beginning. The caller holds the
// lock.
func (p *Progress) line(elapsed time.Duration) string {
	text := fmt.Sprintf("URLs %d, sites %d, under way %d", p.urls, p.fetched, p.underWay)
	if p.unreached > 0 {
		text += fmt.Sprintf(", unreachable %d", p.unreached)
	}
	done := Done{Files: p.urls, Share: math.Min(p.share, 1)} // a list can grow while it is read
	if p.files != nil {
		done = p.files()
		text = "files " + Thousands(done.Files)
	}
	share, now := done.Share, done.Share-done.Earlier.Share
	if done.Bytes > 0 {
		text += ", " + megabytes(float64(done.Bytes))
	}
	if elapsed >= paceDelay {
		text += fmt.Sprintf(", %s/s", decimals(float64(done.Files-done.Earlier.Files)/elapsed.Seconds()))
		if done.Bytes > 0 {
			text += ", " + megabytes(float64(done.Bytes)/elapsed.Seconds()) + "/s"
		}
		if now > 0 {
			left := time.Duration(float64(elapsed) * (1 - share) / now)
			text += ", " + inWords(left) + " left"
		}
	}
	if share < 0 {
		return text
	}
	const width = 20
	filled := int(share * width)
	return fmt.Sprintf("[%s%s] %3.0f%%  %s", strings.Repeat("#", filled), strings.Repeat("-", width-filled), math.Floor(100*share), text)
}

func megabytes(bytes float64) string { return decimals(bytes/1e6) + " MB" }

// decimals returns a rate with one decimal if it is small.
func decimals(rate float64) string {
	if rate < 10 {
		return fmt.Sprintf("%.1f", rate)
	}
	return fmt.Sprintf("%.0f", rate)
}

// inWords returns a time in its two largest units, such as 2m30s.
func inWords(d time.Duration) string {
	switch {
	case d < time.Hour:
		return d.Round(time.Second).String()
	default:
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	}
}

// besideProgress erases the progress line before anything else is written.
type besideProgress struct {
	p *Progress
	w io.Writer
}

func (b *besideProgress) Write(text []byte) (int, error) {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	b.p.erase()
	if len(text) > 0 && IsTerminal(b.w) {
		b.p.midLine = text[len(text)-1] != '\n'
	}
	return b.w.Write(text)
}
