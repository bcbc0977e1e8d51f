// Package git runs the program git on repositories that somebody else may have prepared, for
// example an unpacked archive.
package git

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Command returns a command that runs git in a folder. The repository that contains the folder
// cannot make git run a program or use the network: a lazy fetch of a missing object fails,
// settings that name programs which merely reading a commit would start are off, and git neither
// prompts nor writes. Variables that name a different repository are removed, because git sets
// them for hooks and editors, and so are those that change the meaning of paths. The user's own
// settings apply, for example safe.directory.
//
// If ctx ends, git is stopped. Wait then returns within a tenth of a second, even if a child of
// git keeps the output open, unless the output is from StdoutPipe.
func Command(ctx context.Context, folder string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(slices.Clone(settings), args...)...)
	cmd.Dir, cmd.WaitDelay = folder, 100*time.Millisecond
	cmd.Env = append(slices.DeleteFunc(os.Environ(), isRemoved), variables...)
	return cmd
}

// Bare is Command for a repository without its working tree, of which git could read files that are
// pipes, such as .gitattributes. dir is the folder that git calls the git directory, and empty one without
// files.
func Bare(ctx context.Context, dir, empty string, args ...string) *exec.Cmd {
	cmd := Command(ctx, empty, args...)
	cmd.Env = append(cmd.Env, "GIT_DIR="+dir, "GIT_WORK_TREE="+empty)
	return cmd
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
