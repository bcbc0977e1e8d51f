package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

func init() {
	register.DoFn3x1[context.Context, audit.Rows, func(string), error](&writeFn{})
	register.DoFn2x1[context.Context, string, error](&commitFn{})
	register.Emitter1[string]()
}

// unfinished is the folder of files that are not complete, or whose bundle can be repeated.
const unfinished = "unfinished"

// tables are the names of the files with the rows of a bundle.
func (o *options) tables(bundle string) []string {
	names := []string{tableName("files", bundle), tableName("crawlers", bundle)}
	if o.Bodies {
		names = append(names, tableName("bodies", bundle))
	}
	return names
}

func tableName(kind, bundle string) string { return kind + "-" + bundle + ".parquet" }

// writeFn writes the rows of each bundle to Parquet files, without a shuffle. It emits the
// name of the bundle. A bundle that fails is repeated under another name.
type writeFn struct {
	Options options

	bundle  string // empty without a row
	storage filesystem.Interface
	tables  *audit.Tables
}

func (f *writeFn) StartBundle(context.Context, func(string)) error {
	f.bundle = ""
	return nil
}

func (f *writeFn) ProcessElement(ctx context.Context, r audit.Rows, _ func(string)) error {
	if f.bundle == "" {
		if err := f.create(ctx); err != nil {
			return err
		}
	}
	return f.tables.Write(&r)
}

// create creates the files of a bundle.
func (f *writeFn) create(ctx context.Context) (err error) {
	f.bundle = rand.Text()
	if f.storage, err = filesystem.New(ctx, f.Options.Tables); err != nil {
		return err
	}
	f.tables, err = audit.NewTables(f.Options.Bodies, audit.Shard{}, func(kind string) (io.WriteCloser, error) {
		return f.storage.OpenWrite(ctx, f.Options.in(unfinished, tableName(kind, f.bundle)))
	})
	return err
}

func (f *writeFn) FinishBundle(_ context.Context, emit func(string)) error {
	if f.bundle == "" {
		return nil
	}
	if err := errors.Join(f.tables.Close(), f.storage.Close()); err != nil {
		return err
	}
	emit(f.bundle)
	return nil
}

// commitFn moves the files of a bundle that will not be repeated to their names. It can be
// repeated itself.
type commitFn struct{ Options options }

func (f *commitFn) ProcessElement(ctx context.Context, bundle string) error {
	storage, err := filesystem.New(ctx, f.Options.Tables)
	if err != nil {
		return err
	}
	defer storage.Close()
	for _, name := range f.Options.tables(bundle) {
		if err := filesystem.Rename(ctx, storage, f.Options.in(unfinished, name), f.Options.in(name)); err != nil {
			if done, listErr := storage.List(ctx, f.Options.in(name)); listErr != nil || len(done) == 0 {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}
