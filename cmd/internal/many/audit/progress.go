package audit

import (
	"io"
	"sync"
	"sync/atomic"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// Progress counts what a run has done so far. It can be read at any time.
type Progress struct {
	Files   atomic.Int64 // all files, including files of earlier runs
	Skipped atomic.Int64 // files of earlier runs
	Inputs  atomic.Int64 // that are finished
	Bytes   atomic.Int64 // of files, as stored in the input
	Damaged atomic.Int64 // records with the problem Damaged, including earlier runs
	Failed  atomic.Int64 // files with the problem Internal, including earlier runs

	Undated  atomic.Int64 // files with a time that cannot be read
	Zoneless atomic.Int64 // files with a time without a zone

	ended   sync.Map     // the indices of finished inputs
	earlier atomic.Int64 // inputs that an earlier run has finished
}

func (p *Progress) count(f *File) {
	if f.Problem == nil {
		return
	}
	switch Problem(*f.Problem) {
	case Damaged:
		p.Damaged.Add(1)
	case Internal:
		p.Failed.Add(1)
	}
}

func (p *Progress) end(input int) {
	p.ended.Store(input, true)
	p.Inputs.Add(1)
}

// Of returns what a run over sources has done so far.
func (p *Progress) Of(sources []Source) term.Done {
	done := term.Done{Files: int(p.Files.Load()), Share: p.Share(sources)}
	done.Earlier.Files = int(p.Skipped.Load())
	if done.Share >= 0 {
		done.Earlier.Share = float64(p.earlier.Load()) / float64(max(1, len(sources)))
	}
	for _, source := range sources {
		if at, ok := source.(*remote); ok {
			done.Bytes += at.file.Read()
		}
	}
	return done
}

// Share returns the share of a run's sources that has been read, from 0 to 1. It is
// negative if it is unknown, as for folders, lists of hosts and standard input.
func (p *Progress) Share(sources []Source) float64 {
	sum := 0.0
	for i, source := range sources {
		if _, ended := p.ended.Load(i); ended {
			sum++
			continue
		}
		measured, ok := source.(interface{ share() float64 })
		if !ok {
			return -1
		}
		share := measured.share()
		if share < 0 {
			return -1
		}
		sum += share
	}
	return sum / float64(max(1, len(sources)))
}

// meter measures the part of an input that was read, in bytes or files.
type meter struct{ read, all atomic.Int64 }

func (m *meter) share() float64 {
	read, all := m.read.Load(), m.all.Load()
	if all == 0 {
		return 0
	}
	return min(1, float64(read)/float64(all))
}

type meteredReader struct {
	io.Reader
	meter *meter
}

func (r meteredReader) Read(to []byte) (int, error) {
	n, err := r.Reader.Read(to)
	r.meter.read.Add(int64(n))
	return n, err
}
