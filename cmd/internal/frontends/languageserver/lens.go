package languageserver

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

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

// gitTimeout bounds how long git can take.
const gitTimeout = 2 * time.Second

// Committed returns a file as git has it in the last commit. ok is false if there is no git,
// no repository, no such file in it, or a file that is too large to be checked.
func Committed(ctx context.Context, name string) (body []byte, ok bool) {
	ctx, stop := context.WithTimeout(ctx, gitTimeout)
	defer stop()
	cmd, out := exec.CommandContext(ctx, "git", "cat-file", "blob", "HEAD:./"+filepath.Base(name)), &blob{}
	// The delay is for a child of git that keeps the output open after git was stopped.
	cmd.Dir, cmd.Stdout, cmd.WaitDelay = filepath.Dir(name), out, 100*time.Millisecond
	cmd.Env = append(slices.DeleteFunc(os.Environ(), ofRepository), quiet...)
	if err := cmd.Run(); err != nil {
		return nil, false
	}
	return out.body, true
}

// quiet are variables with which git neither fetches, nor prompts, nor writes. A fetch might
// run programs that the repository names. Versions before 2.45 do not know GIT_NO_LAZY_FETCH,
// but cannot fetch without a protocol.
var quiet = []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0"}

// ofRepository reports whether an environment variable names a repository, which might not be
// the file's: git sets some variables for an editor or a hook that it starts.
func ofRepository(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	switch strings.ToUpper(name) {
	case "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
		"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX":
		return true
	}
	return false
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
