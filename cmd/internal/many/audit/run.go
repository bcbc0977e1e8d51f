package audit

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// Memory is the soft memory limit for a program that audits, in bytes, see
// runtime/debug.SetMemoryLimit. With it, the process needed at most 256 MB, whatever its
// inputs.
const Memory = 160 << 20

// GCPercent is the setting of the garbage collector for a program that audits, see
// runtime/debug.SetGCPercent. Little of the allocated memory stays in use, and Memory bounds it.
const GCPercent = 400

// Options configure a run.
type Options struct {
	Questions
	Shard    Shard
	Progress *Progress // nil: nothing is counted
	Census   *Census   // counts the sites; nil: no counts
	Labels   []string  // labels of the sources; nil: none
	// Observe is called with each file before it is read, by several goroutines at a time. Its
	// error ends the audit. It can be nil.
	Observe func(*Input) error
	// Fault is called with each internal error, see Internal. It can be nil.
	Fault func(error)
	// Places are those of the sources: if captures have no time, the capture in the last place wins.
	// nil means the order of the sources.
	Places []int
}

// Shard selects part of the files: the files of every Count-th input, beginning with
// input Index, counted from 1. If there is only one input, it selects every Count-th of
// its files. The zero value selects all.
type Shard struct{ Index, Count int }

// inputs returns whether an input is selected, and whether all its files are.
func (s Shard) inputs(input, inputs int) (selected, all bool) {
	switch {
	case s.Count <= 1:
		return true, true
	case inputs == 1:
		return true, false
	}
	return input%s.Count == s.Index-1, true
}

// Run analyses the files of sources, writes their rows to parts, and adds them to the census. It
// reads parts that are complete instead of the inputs. Without parts, which can be nil, nothing
// is written. incomplete contains the inputs that could not be read to their ends; the files read
// before have rows. The error is ctx's, if ctx ends, or an error of writing.
func Run(ctx context.Context, sources []Source, parts *Parts, o Options) (incomplete []*InputError, err error) {
	workers := runtime.GOMAXPROCS(0)
	if o.Progress == nil {
		o.Progress = new(Progress)
	}
	if o.Labels == nil {
		o.Labels = make([]string, len(sources))
	}
	for i := range sources {
		if len(o.Places) == i {
			o.Places = append(o.Places, i)
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{Options: o, parts: parts, sources: sources, jobs: make(chan *batch), free: make(chan *batch, 8*workers),
		cancel: cancel, incomplete: make([]*InputError, len(sources))}
	var analysts, readers sync.WaitGroup
	for range workers {
		analysts.Go(func() { r.analyse(ctx) })
	}
	var next atomic.Int64
	for range min(workers, len(sources)) {
		readers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(sources) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := panics.Contain(sources[i].Name(), nil, func() error {
					r.input(ctx, i)
					return nil
				}); err != nil {
					cancel(err)
				}
			}
		})
	}
	readers.Wait()
	close(r.jobs)
	analysts.Wait()
	incomplete = slices.DeleteFunc(r.incomplete, func(e *InputError) bool { return e == nil })
	return incomplete, context.Cause(ctx)
}

type run struct {
	Options
	parts   *Parts
	sources []Source
	jobs    chan *batch // batches for the analysts
	free    chan *batch // batches that can be used again
	cancel  context.CancelCauseFunc

	incomplete []*InputError // the error of each source, nil if it was read to its end
}

// batch has some files of an input and, after their analysis, their rows.
type batch struct {
	input string
	crawl string
	files []Input // their bodies are in text
	ends  []int   // of their bodies, in text
	text  []byte
	rows  []Rows
	err   error
	done  chan struct{}
}

// The bounds of a batch.
const (
	batchFiles = 128
	batchBytes = 1 << 20
)

func (r *run) analyse(ctx context.Context) {
	a := newAnalyst(r.Questions, r.parts != nil, r.Census != nil && r.Census.lines)
	a.observe = r.Observe
	a.sites = r.Census != nil && r.Census.Sites
	for b := range r.jobs {
		a.input, a.crawl = b.input, b.crawl
		start := 0
		for i := range b.files {
			b.files[i].Body = b.text[start:b.ends[i]]
			start = b.ends[i]
			if i == len(b.rows) {
				b.rows = append(b.rows, Rows{})
			}
			b.err = a.analyse(ctx, &b.files[i], &b.rows[i])
			if b.err != nil {
				break
			}
			if fault := b.rows[i].fault; fault != nil && r.Fault != nil {
				r.Fault(fault)
			}
		}
		close(b.done)
	}
}

func (r *run) input(ctx context.Context, index int) {
	selected, all := r.Shard.inputs(index, len(r.sources))
	name := r.sources[index].Name()
	done := 0
	ended := false
	var err error
	if r.parts != nil {
		var digest *wire.AuditDigest
		done, ended, digest, r.incomplete[index], err = r.parts.done(name, index)
		if at, ok := r.sources[index].(*remote); ok {
			at.earlier = digest
		}
	}
	var crawl *Crawl
	if err == nil {
		crawl, err = r.resumed(index, done, ended)
	}
	if err != nil {
		r.cancel(err)
		return
	}
	if !selected || ended {
		r.Progress.end(index)
		r.Progress.earlier.Add(1)
		return
	}
	skip := done * r.partFiles()
	w := &inputWriter{run: r, index: index, part: done, crawl: crawl,
		batches: make(chan *batch, 2*runtime.GOMAXPROCS(0))}
	written := make(chan error, 1)
	go func() {
		err := panics.Contain(name, nil, func() error { return w.write(ctx) })
		for range w.batches { // after a panic
			r.cancel(err)
		}
		written <- err
	}()
	reader := inputReader{run: r, input: name, crawl: r.Labels[index], ctx: ctx, skip: skip, all: all,
		place: r.Places[index], batches: w.batches}
	err = panics.Contain("", nil, func() error { return r.sources[index].Files(ctx, reader.add) })
	reader.send()
	close(w.batches)
	if writeErr := <-written; writeErr != nil {
		r.cancel(writeErr)
		return
	}
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		r.incomplete[index] = Incomplete(name, reader.number, err)
	}
	if r.parts != nil {
		if err := r.parts.end(index, r.sources[index], r.incomplete[index]); err != nil {
			r.cancel(err)
		}
	}
	r.Progress.end(index)
}

func (r *run) partFiles() int {
	if r.parts == nil {
		return 0
	}
	return r.parts.config.Files
}

// resumed counts the files in complete parts of an input. It returns the crawl of the
// input, nil without a census.
func (r *run) resumed(index, parts int, ended bool) (crawl *Crawl, err error) {
	if r.Census != nil {
		crawl = r.Census.Begin(r.Labels[index], r.Questions)
	}
	for part := range parts {
		err := ReadTable(r.parts.name(index, part, fileRows), func(f *File) error {
			r.Progress.count(f)
			if ended { // else the reader counts it
				r.Progress.Files.Add(1)
				r.Progress.Skipped.Add(1)
			}
			return nil
		})
		if err == nil && crawl != nil {
			err = crawl.readPart(r.parts.name(index, part, fileRows), r.parts.name(index, part, crawlerRows),
				r.Places[index])
		}
		if err != nil {
			return nil, err
		}
	}
	return crawl, nil
}

// inputReader collects the files of an input in batches.
type inputReader struct {
	run     *run
	input   string
	crawl   string
	ctx     context.Context
	skip    int // files of complete parts
	all     bool
	place   int // see Options
	number  int // of files of the input
	batch   *batch
	batches chan *batch
}

func (r *inputReader) add(in *Input) error {
	r.number++
	if !r.all && (r.number-1)%r.run.Shard.Count != r.run.Shard.Index-1 {
		return nil
	}
	progress := r.run.Progress
	progress.Files.Add(1)
	progress.Bytes.Add(int64(len(in.Body)))
	if in.Undated {
		progress.Undated.Add(1)
	}
	if in.Zoneless {
		progress.Zoneless.Add(1)
	}
	if r.skip > 0 {
		r.skip--
		progress.Skipped.Add(1)
		return nil
	}
	if r.batch == nil {
		r.batch = r.run.newBatch()
		r.batch.input, r.batch.crawl = r.input, r.crawl
	}
	b := r.batch
	b.text = append(b.text, in.Body...)
	b.ends = append(b.ends, len(b.text))
	b.files = append(b.files, *in)
	b.files[len(b.files)-1].Position = Position(cmp.Or(in.number, r.number-1), r.place)
	if len(b.files) == batchFiles || len(b.text) >= batchBytes {
		return r.send()
	}
	return nil
}

// send passes the batch to the analysts and to the writer of the input.
func (r *inputReader) send() error {
	if r.batch == nil {
		return nil
	}
	b := r.batch
	r.batch = nil
	select {
	case r.run.jobs <- b:
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
	r.batches <- b // the writer takes batches until the channel is closed
	return nil
}

func (r *run) newBatch() *batch {
	var b *batch
	select {
	case b = <-r.free:
	default:
		b = new(batch)
	}
	b.err = nil
	b.done = make(chan struct{})
	b.files = b.files[:0]
	b.ends = b.ends[:0]
	b.text = b.text[:0]
	return b
}

// inputWriter writes the rows of an input to its parts, in the order of the files.
type inputWriter struct {
	run         *run
	index, part int
	crawl       *Crawl // nil without a census
	batches     chan *batch
	current     *partTables
	captures    []capture
}

func (w *inputWriter) write(ctx context.Context) (err error) {
	for b := range w.batches {
		<-b.done
		if err == nil {
			err = errors.Join(b.err, w.rows(b))
		}
		if err != nil {
			w.run.cancel(err) // the channel must still be emptied
		}
		select {
		case w.run.free <- b:
		default:
		}
	}
	switch {
	case w.current == nil:
	case err == nil && ctx.Err() == nil:
		err = w.close()
	default:
		w.current.complete() // the part is not full: the next attempt replaces its tables
	}
	return err
}

func (w *inputWriter) rows(b *batch) (err error) {
	if b.err != nil {
		return nil
	}
	w.countBatch(b)
	if w.run.parts == nil {
		return nil
	}
	for i := range b.files {
		if w.current == nil {
			w.current, err = w.run.parts.create(w.index, w.part)
			if err != nil {
				return err
			}
		}
		if err := w.current.write(&b.rows[i]); err != nil {
			return err
		}
		if w.current.count == w.run.parts.config.Files {
			if err := w.close(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *inputWriter) countBatch(b *batch) {
	w.captures = w.captures[:0]
	for i := range b.files {
		rows := &b.rows[i]
		w.run.Progress.count(&rows.File)
		if w.crawl != nil {
			in := captureOf(&rows.File, int32(w.run.Places[w.index]), 0)
			in.verdicts = rows.verdicts
			w.captures = append(w.captures, in)
		}
	}
	if w.crawl != nil {
		w.crawl.add(w.captures)
	}
}

func (w *inputWriter) close() error {
	err := w.run.parts.complete(w.current, w.index, w.part)
	w.current = nil
	w.part++
	return err
}
