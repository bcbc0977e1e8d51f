package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/crawlers"
)

// Groups of flags that several commands share. A command embeds its groups.

type bodyFlags struct {
	file string
	limitFlags
}

func (f *bodyFlags) define(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.file, "file", "f", "",
		"read the robots.txt from `FILE` instead of fetching it; \"-\" is standard input")
	f.limitFlags.defineForFiles(cmd)
}

type limitFlags struct{ limit byteLimit }

func (f *limitFlags) define(cmd *cobra.Command) {
	f.limit = robotstxt.DefaultBodyLimit
	cmd.Flags().Var(flagValue[byteLimit]{&f.limit, readLimit}, "limit", "read at most `BYTES` of a robots.txt")
}

// defineForFiles defines the flags for a command that reads local files too.
func (f *limitFlags) defineForFiles(cmd *cobra.Command) {
	f.define(cmd)
	cmd.Flags().Lookup("limit").Usage += `; for files, "none" removes the limit`
}

type crawlerFlags struct {
	agents []string
	filterFlags
	exact bool
	dialectFlags
}

func (f *crawlerFlags) define(cmd *cobra.Command, what, without, whatKnown string) {
	cmd.Flags().StringArrayVarP(&f.agents, "agent", "a", nil,
		what+" the crawlers `TOKEN[:FALLBACK...],...`; can be repeated (default"+without+")")
	completeFrom(cmd, "agent", completesCrawlers)
	f.filterFlags.define(cmd, whatKnown)
	cmd.Flags().BoolVar(&f.exact, "exact-agent", false, "use a single token without the documented fallbacks of the crawler")
	f.dialectFlags.define(cmd)
}

// dialectFlags select the dialect, nil for the dialect of each crawler.
type dialectFlags struct{ dialect *robotstxt.Dialect }

func (f *dialectFlags) define(cmd *cobra.Command) {
	defineDialect(cmd, &f.dialect, "dialect", "read as `DIALECT` does: google, rfc9309 or koster1996 (default: as each crawler does)")
}

type outputFlags struct {
	formatFlags
	quiet bool
	only  []wire.Verdict
}

func (f *outputFlags) define(cmd *cobra.Command) {
	f.formatFlags.define(cmd)
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "print no answers and no notes; use the exit status")
	cmd.Flags().Func("only", "print only the answers with these `VERDICTS`: allowed, disallowed, unknown", f.addVerdicts)
	complete(cmd, "only", verdictNames)
}

// assumeFlags selects the verdict for a site that does not respond.
type assumeFlags struct{ assume string }

func (f *assumeFlags) define(cmd *cobra.Command) {
	f.assume = assumeNothing
	defineChoice(cmd, &f.assume, "assume", "if a site does not respond, assume `WHAT`: nothing (the verdict is unknown) or policy (the --policy decides)", assumeNothing, assumePolicy)
}

// The values of --assume.
const (
	assumeNothing = "nothing"
	assumePolicy  = "policy"
)

// flagValue is the value of a flag whose type is not in package pflag.
type flagValue[T any] struct {
	to   *T // the default until the flag is set
	read func(text string) (T, error)
}

func (v flagValue[T]) String() string { return fmt.Sprint(*v.to) }

func (flagValue[T]) Type() string { return "value" }

func (v flagValue[T]) Set(text string) error {
	value, err := v.read(text)
	if err == nil {
		*v.to = value
	}
	return err
}

// defineChoice defines a flag for one of some words, which replace %s in usage.
func defineChoice[T ~string](cmd *cobra.Command, value *T, name, usage string, words ...string) {
	cmd.Flags().Var(choice(value, words), name, strings.Replace(usage, "%s", strings.Join(words, ", "), 1))
	complete(cmd, name, words)
}

func choice[T ~string](value *T, words []string) flagValue[T] {
	return oneOfWords(value, words, "use "+eitherOf(words))
}

// eitherOf lists words: "a, b or c".
func eitherOf(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func oneOfWords[T ~string](value *T, words []string, wanted string) flagValue[T] {
	return flagValue[T]{value, func(text string) (T, error) {
		if !slices.Contains(words, text) {
			return "", errors.New(wanted)
		}
		return T(text), nil
	}}
}

// anyText returns the value of a flag for any text. An invalid text is reported when it is used,
// because errors of flags repeat the value, which can contain a password.
func anyText[T ~string](value *T) flagValue[T] {
	return flagValue[T]{value, func(text string) (T, error) { return T(text), nil }}
}

// The values of --format of commands whose answers are not rows.
const (
	formatText     = "text"
	formatJSON     = "json"
	formatJUnit    = "junit"
	formatCSV      = "csv"
	formatGitHub   = "github"
	formatMarkdown = "markdown"
	formatHTML     = "html"
)

func namesOf[T any](values []T) (names []string) {
	for _, value := range values {
		names = append(names, fmt.Sprint(value))
	}
	return names
}

// The completions of a flag are its annotations: its values, or the name of their completer. They are registered
// when a shell asks, because cobra keeps a registered flag, and with it its command, until the process ends.
const (
	completedWith = "completions"
	completedBy   = "completer"
)

// A completer completes values that depend on the text typed so far, are expensive to make, or can be files too.
type completer string

const (
	completesCrawlers   completer = "crawlers"
	completesOperators  completer = "operators"
	completesSubjects   completer = "subjects"
	completesCodes      completer = "codes"
	completesSeverities completer = "severities"
	completesStores     completer = "stores"
)

func (c completer) complete(typed string) (values []string, directive cobra.ShellCompDirective) {
	directive = cobra.ShellCompDirectiveNoFileComp
	switch c {
	case completesCrawlers:
		values = crawlerCompletions(typed)
	case completesOperators:
		values = crawlers.Operators()
	case completesSubjects:
		values = subjectCompletions(typed)
	case completesCodes:
		values = codeCompletions()
	case completesSeverities:
		values = severityCompletions()
	case completesStores:
		values, directive = []string{string(cacheNone)}, cobra.ShellCompDirectiveDefault // or a folder
	}
	return values, directive
}

// complete sets the completions of a flag, which are files by default.
func complete(cmd *cobra.Command, flag string, values []string) {
	annotate(cmd, flag, completedWith, values)
}

func completeNothing(cmd *cobra.Command, flags ...string) {
	for _, flag := range flags {
		complete(cmd, flag, nil)
	}
}

func completeFrom(cmd *cobra.Command, flag string, from completer) {
	annotate(cmd, flag, completedBy, []string{string(from)})
}

func annotate(cmd *cobra.Command, name, key string, values []string) {
	flag := cmd.Flag(name)
	if flag.Annotations == nil {
		flag.Annotations = map[string][]string{}
	}
	flag.Annotations[key] = values
}

// isCompletion reports whether a shell asks for completions with these arguments.
func isCompletion(args []string) bool {
	return len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd)
}

// registerCompletions registers the completions of all commands.
func registerCompletions(cmd *cobra.Command) {
	register := func(flag *pflag.Flag) {
		values, isCompleted := flag.Annotations[completedWith]
		from := flag.Annotations[completedBy]
		if !isCompleted && from == nil {
			return
		}
		all := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
		if from != nil {
			all = func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
				return completer(from[0]).complete(typed)
			}
		}
		_ = cmd.RegisterFlagCompletionFunc(flag.Name, all) // fails only for a flag that is not the command's
	}
	cmd.LocalFlags().VisitAll(register)
	for _, child := range cmd.Commands() {
		registerCompletions(child)
	}
}
