package languageserver

import (
	"context"
	"path/filepath"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/git"
	"github.com/kosterhq/robotstxt/lint/editor"
)

// later is a result that is computed while further messages are handled. It must not use
// the server or its documents.
type later func() (any, error)

// codeLens returns how much each group closes, and the changes since the last commit. The
// proofs take long in large files, so they run while other requests are answered, until the
// text changes.
func (s *server) codeLens(ctx context.Context, d *document, _ *documentParams) (any, error) {
	d.cancel()
	ctx, d.stop = context.WithCancel(ctx)
	body, name, committed := d.body, d.path(), s.config.Committed
	config := editor.Config{Lint: d.config, Encoding: s.encoding}
	return later(func() (any, error) {
		view, lenses := editor.New(body, config), []codeLens{}
		add := func(prefix string, all []editor.Lens, err error) error {
			for _, lens := range all {
				lenses = append(lenses, codeLens{lens.Range, command{prefix + lens.Title, ""}})
			}
			return err
		}
		all, err := view.Reach(ctx)
		if err := add("", all, err); err != nil || name == "" || committed == nil {
			return lenses, err
		}
		before, ok := committed(ctx, name)
		if !ok {
			return lenses, ctx.Err()
		}
		all, err = view.Since(ctx, before)
		return lenses, add("since HEAD: ", all, err)
	}), nil
}

// cancel stops the computation of lenses.
func (d *document) cancel() {
	if d.stop != nil {
		d.stop()
	}
}

const gitTimeout = 2 * time.Second

// Committed returns a file as git has it in the last commit. ok is false if there is no git,
// no repository, no such file in it, a repository that git might never finish reading, or a file that is too large
// to be checked.
func Committed(ctx context.Context, name string) (body []byte, ok bool) {
	ctx, stop := context.WithTimeout(ctx, gitTimeout)
	defer stop()
	repository, err := git.Open(ctx, filepath.Dir(name))
	if err != nil {
		return nil, false
	}
	out := &blob{}
	cmd := repository.Command(ctx, "cat-file", "blob", "HEAD:./"+filepath.Base(name))
	cmd.Stdout = out
	if err := cmd.Run(); err != nil {
		return nil, false
	}
	return out.body, true
}

// blob keeps a file of at most maxDocument bytes; a larger one is an error.
type blob struct{ body []byte }

func (b *blob) Write(p []byte) (int, error) {
	if len(b.body)+len(p) > maxDocument {
		return 0, errTooLarge
	}
	b.body = append(b.body, p...)
	return len(p), nil
}
