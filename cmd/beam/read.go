package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/panics"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// object is an archive, a table or a robots.txt in storage.
type object struct {
	Label, Input, Name string
	Record             string // of a robots.txt
	Place, Number      int    // positions of the input among all inputs, and of a robots.txt in its input
}

// capture has the parts of a row that counts need.
type capture struct {
	Label    string
	File     audit.File // without the columns that no count needs
	Verdicts []byte
	Place    int
}

// ended reports how much was read of an input, or of an object in it.
type ended struct {
	Crawl, Input   string
	Place          int
	Files, Damaged int
	Error          string // why the rest could not be read
}

func init() {
	beam.RegisterType(reflect.TypeFor[options]())
	register.DoFn3x1[context.Context, []byte, func(object), error](&listFn{})
	register.DoFn6x1[context.Context, object, func(audit.Rows), func(string, capture), func(link), func(string, ended), error](&readFn{})
	register.Emitter1[object]()
	register.Emitter1[audit.Rows]()
	register.Emitter2[string, capture]()
	register.Emitter1[link]()
	register.Emitter2[string, ended]()
	register.Function2x1(sumEnded)
}

// listFn emits the objects that the arguments name, in the order of robots audit.
type listFn struct{ Options options }

func (f *listFn) ProcessElement(ctx context.Context, _ []byte, emit func(object)) error {
	place := 0
	for _, argument := range f.Options.Inputs {
		names, err := list(ctx, argument.Pattern)
		if err != nil {
			return err
		}
		slices.SortStableFunc(names, func(a, b string) int { // the archives, then the rest as one input
			return order(audit.IsArchive(b)) - order(audit.IsArchive(a))
		})
		number := 0
		for _, name := range names {
			o := object{Label: argument.Label, Input: name, Name: name, Place: place}
			if audit.IsArchive(name) {
				place++
			} else {
				o.Input, o.Record, o.Number = argument.Pattern, recordOf(argument.Pattern, name), number
				number++
			}
			emit(o)
		}
		if number > 0 {
			place++
		}
	}
	return nil
}

func order(isArchive bool) int {
	if isArchive {
		return 1
	}
	return 0
}

// list returns the files that a pattern names.
func list(ctx context.Context, pattern string) (names []string, err error) {
	if !strings.Contains(pattern, "://") {
		search := files.Search{Wanted: func(string) bool { return true }, What: "files"}
		for name, err := range search.Files(pattern) {
			if err != nil {
				return nil, err
			}
			names = append(names, name)
		}
		return names, nil
	}
	storage, err := filesystem.New(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer storage.Close()
	names, err = storage.List(ctx, pattern)
	slices.Sort(names)
	if err == nil && len(names) == 0 {
		err = term.Errorf("%q matches no file", pattern).Hint("a pattern such as gs://bucket/*.warc.gz matches files, but not folders")
	}
	return names, err
}

// recordOf returns the record of a robots.txt: its path in a folder, else its name.
func recordOf(pattern, name string) string {
	if info, err := os.Stat(pattern); err == nil && info.IsDir() {
		if record, err := filepath.Rel(pattern, name); err == nil {
			return record
		}
	}
	return name
}

// readFn reads objects. It emits the rows of each file, a capture of it by its
// domain, the domains to which it redirects, and an ended for the input.
type readFn struct {
	Options options

	analyst *audit.Analyst
}

func (f *readFn) Setup() error {
	q, err := f.Options.questions()
	f.analyst = audit.NewAnalyst(q)
	return err
}

func (f *readFn) ProcessElement(ctx context.Context, o object, emit func(audit.Rows), count func(string, capture), cross func(link), end func(string, ended)) error {
	storage, err := filesystem.New(ctx, o.Name)
	if err != nil {
		return err
	}
	defer storage.Close()
	var failed error // an error of the storage, after which another try might succeed
	open := func() (io.ReadCloser, error) {
		data, err := storage.OpenRead(ctx, o.Name)
		if err != nil && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist) {
			failed = err
		}
		return watched{data, &failed}, err
	}
	emitting := false // Beam's own panics, by which it ends a bundle, are not ours
	read, number := ended{Crawl: o.Label, Input: o.Input, Place: o.Place}, o.Number
	each := func(in *audit.Input) error {
		in.Position = audit.Position(number, o.Place)
		made, err := f.analyst.Rows(ctx, o.Input, o.Label, in)
		if err != nil || failed != nil {
			return errors.Join(err, failed)
		}
		if fault := made.Fault(); fault != nil {
			log.Errorf(ctx, "%v\n%s", fault, term.TraceOf(fault))
			read.Error = fault.Error()
		}
		emitting = true
		emit(*made)
		domain := audit.DomainOf(&made.File)
		if to := audit.LinkedDomain(&made.File); to != "" {
			cross(link{domain, to})
		}
		count(domain, capture{o.Label, counted(&made.File), slices.Clone(made.Verdicts()), o.Place})
		emitting = false
		number++
		read.Files++
		if in.Problem == audit.Damaged || made.File.Problem != nil && *made.File.Problem == string(audit.Damaged) {
			read.Damaged++
		}
		return nil
	}
	err = panics.Contain("", nil, func() error { return audit.Object(o.Name, o.Record, open, audit.Config{}).Files(ctx, each) })
	if err := errors.Join(failed, ctx.Err()); err != nil {
		return err
	}
	if emitting {
		return err
	}
	if err != nil {
		log.Errorf(ctx, "%s: %v\n%s", o.Name, err, term.TraceOf(err))
		read.Error = audit.Incomplete(o.Input, read.Files, err).Err.Error()
	}
	end(o.Label+"\x00"+o.Input, read)
	return nil
}

// watched keeps an error of the storage.
type watched struct {
	io.ReadCloser
	failed *error
}

func (w watched) Read(to []byte) (int, error) {
	n, err := w.ReadCloser.Read(to)
	if err != nil && err != io.EOF {
		*w.failed = err
	}
	return n, err
}

// counted returns the columns that counts need.
func counted(f *audit.File) audit.File {
	return audit.File{
		Input: f.Input, Record: f.Record, Host: f.Host, FetchedAt: f.FetchedAt, URL: f.URL, Status: f.Status,
		Problem: f.Problem, Outcome: f.Outcome, Body: f.Body, Redirect: f.Redirect, Position: f.Position,
	}
}

// sumEnded adds up the numbers of two objects in an input.
func sumEnded(a, b ended) ended {
	a.Files, a.Damaged = a.Files+b.Files, a.Damaged+b.Damaged
	a.Crawl, a.Input, a.Place = b.Crawl, b.Input, b.Place
	a.Error = min(a.Error, b.Error)
	if a.Error == "" {
		a.Error = b.Error
	}
	return a
}
