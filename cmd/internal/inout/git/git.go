// Package git runs the program git on repositories that somebody else may have prepared, for
// example an unpacked archive.
package git

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Repository is a repository that somebody else may have prepared: [Open] has looked at the files that git reads.
type Repository struct {
	folder string // in which git runs
	dir    string // what git calls the git directory
	limits []string
}

// Open finds the repository that contains a folder. It starts no program. If git would wait for a file of the
// repository, or could read it for ever, that is an error, which names the file: each of them can be a link, a pipe, a
// device or of any size in an unpacked archive.
func Open(ctx context.Context, folder string) (*Repository, error) {
	top, dir, err := find(folder)
	if err != nil {
		return nil, err
	}
	c := checker{ctx: ctx, seen: map[string]bool{}}
	if err := c.gitDir(dir); err != nil {
		return nil, err
	}
	r := &Repository{folder: folder, dir: dir}
	if above := filepath.Dir(top); above != top { // no other repository, which was not looked at
		ceilings := strings.TrimPrefix(os.Getenv("GIT_CEILING_DIRECTORIES")+string(filepath.ListSeparator), string(filepath.ListSeparator))
		r.limits = []string{"GIT_CEILING_DIRECTORIES=" + ceilings + above}
	}
	return r, nil
}

// Bare returns the repository without its working tree, of which git could read files that are pipes, such as
// .gitattributes. empty is a folder without files; its name is absolute. Before, git must have accepted the
// repository: it asks for a folder's owner only if it finds the repository itself.
func (r *Repository) Bare(empty string) *Repository {
	return &Repository{folder: empty, dir: r.dir, limits: []string{"GIT_DIR=" + r.dir, "GIT_WORK_TREE=" + empty}}
}

// Command is a run of git. Its memory is limited to [Memory] on Linux.
type Command struct {
	Stdout, Stderr io.Writer // as of [exec.Cmd]
	cmd            *exec.Cmd
}

// Memory is the number of bytes that git may use, without files that it maps: a small object can stand for a
// large text.
const Memory = 1 << 30

// Command returns a command that runs git. The repository cannot make git run a program or use the
// network: a lazy fetch of a missing object fails, settings that name programs which merely reading a commit
// would start are off, and git neither prompts nor writes. Variables that name a different repository are
// removed, because git sets them for hooks and editors, and so are those that change the meaning of paths. The
// user's own settings apply, for example safe.directory.
//
// If ctx ends, git is stopped. Wait then returns within a tenth of a second, even if a child of
// git keeps the output open, unless the output is from StdoutPipe.
func (r *Repository) Command(ctx context.Context, args ...string) *Command {
	cmd := exec.CommandContext(ctx, "git", append(slices.Clone(settings), args...)...)
	cmd.Dir, cmd.WaitDelay = r.folder, 100*time.Millisecond
	cmd.Env = slices.Concat(slices.DeleteFunc(os.Environ(), isRemoved), variables, r.limits)
	if runtime.GOOS == "linux" {
		limitMemory(cmd)
	}
	return &Command{cmd: cmd}
}

// limitMemory makes a shell start the command, with a limit for what it may allocate: a limit that is set after
// the start comes too late on a busy machine, and one of this process would hold here too. A lower one
// stays. Without a shell, there is no limit.
func limitMemory(cmd *exec.Cmd) {
	shell, err := exec.LookPath("sh")
	if err != nil || cmd.Err != nil {
		return
	}
	script := fmt.Sprintf(`ulimit -d %d 2>/dev/null; exec "$0" "$@"`, Memory>>10) // KiB
	cmd.Args = append([]string{shell, "-c", script, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = shell
}

// Start is that of [exec.Cmd].
func (c *Command) Start() error {
	c.cmd.Stderr = c.Stderr
	if c.Stdout != nil { // else it may be a pipe
		c.cmd.Stdout = c.Stdout
	}
	return c.cmd.Start()
}

// Run is that of [exec.Cmd].
func (c *Command) Run() error {
	if err := c.Start(); err != nil {
		return err
	}
	return c.Wait()
}

// Wait is that of [exec.Cmd].
func (c *Command) Wait() error { return c.cmd.Wait() }

// Pipes returns git's standard input and output. Wait closes them.
func (c *Command) Pipes() (in io.WriteCloser, out io.ReadCloser, err error) {
	in, err = c.cmd.StdinPipe()
	if err == nil {
		out, err = c.cmd.StdoutPipe()
	}
	return in, out, err
}

// settings overrule the repository's. core.fsmonitor, gpg.program (by log.showSignature), hooks and
// credential.helper are programs; mailmaps, core.attributesFile and diff.orderFile can be pipes without a writer;
// log.showRoot hides the oldest commit, diff.relative other folders, and an encoding all output.
var settings = []string{"--no-pager", "-c", "core.fsmonitor=false", "-c", "log.showSignature=false",
	"-c", "core.hooksPath=/dev/null", "-c", "credential.helper=", "-c", "fetch.bundleURI=",
	"-c", "log.mailmap=false", "-c", "mailmap.file=", "-c", "diff.orderFile=/dev/null", "-c", "core.attributesFile=/dev/null",
	"-c", "log.showRoot=true", "-c", "diff.relative=false", "-c", "i18n.logOutputEncoding=UTF-8"}

// Versions before 2.45 do not know GIT_NO_LAZY_FETCH, but cannot fetch without a protocol.
var variables = []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0"}

// kept are the variables of git that are the user's settings or find git's own files. Every
// other variable of git is removed, so that a new one cannot name a different repository.
var kept = []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS",
	"GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"}

func isRemoved(variable string) bool {
	name, _, _ := strings.Cut(strings.ToUpper(variable), "=")
	return strings.HasPrefix(name, "GIT_") && !slices.Contains(kept, name) &&
		!strings.HasPrefix(name, "GIT_CONFIG_KEY_") && !strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
}
