package sqlitefile

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// attempts is the number of attempts for a transaction if the file is damaged or replaced.
// The second attempt uses a new file. The third is for the case that another process
// replaces that one too.
const attempts = 3

// Write calls do with the connection that writes, which do begins and commits a transaction
// on. It calls do again, on a new file, if the old one is damaged or was replaced. After an
// error that is likely to last, calls fail immediately for a while.
func (d *DB) Write(do func(*Conn) error) error {
	if err := d.noWrite.refusal(); err != nil {
		return err
	}
	ctx := context.Background() // the end of one caller's context must not affect the others
	var f *File
	var err error
	for range attempts {
		f, err = d.current(ctx)
		if err != nil {
			return err
		}
		suspect := false // whether the connection, not the file, is unusable
		err = f.with(ctx, f.writer, func(c *Conn) error {
			err := do(c)
			if err != nil {
				suspect = Rollback(c) != nil
			}
			return err
		})
		switch {
		case errors.Is(err, ErrRetired):
			continue
		case IsDamage(err):
			if _, moved := d.replace(ctx, f, err); moved != nil {
				return moved
			}
			continue
		case suspect || err == nil && !f.IsInPlace():
			// A commit to a file that is no longer at the path is lost.
			if _, moved := d.replace(ctx, f, nil); moved != nil {
				return moved
			}
			if !suspect {
				continue
			}
		}
		break
	}
	return d.judge(err)
}

// judge classifies the error of a transaction. An error that is likely to last
// starts a period in which writes fail immediately.
func (d *DB) judge(err error) error {
	switch {
	case err == nil:
		if d.noWrite.end() {
			d.Logger.Info(d.Subject+" can be written again", "path", d.Path)
		}
		return nil
	case IsBusy(err), IsDamage(err), errors.As(err, new(*panicError)), errors.Is(err, d.Config.Degraded),
		errors.Is(err, os.ErrClosed), errors.Is(err, ErrRetired):
		return fmt.Errorf("%s: %w", d.Prefix, err)
	}
	err = d.noWrite.begin(err)
	d.warnUnusable(err)
	return err
}
