package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/lintconfig"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/semdiff"
)

type profileFlags struct {
	profile    *lint.Profile // nil if it is not given
	configFile string
	noConfig   bool
}

func (f *profileFlags) define(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Func("profile", "check the file for `PROFILE`: "+strings.Join(report.Profiles(), ", ")+" (default google)", f.setProfile)
	flags.StringVar(&f.configFile, "config", "", "read the settings from `FILE` (default the nearest "+lintconfig.Name+")")
	flags.BoolVar(&f.noConfig, "no-config", false, "read no "+lintconfig.Name)
	complete(cmd, "profile", report.Profiles())
}

func (f *profileFlags) setProfile(text string) error {
	p, err := report.ProfileNamed(text)
	if err == nil {
		f.profile = &p
	}
	return err
}

type settingFlags struct {
	profileFlags
	failOn     string
	ignore     []string
	severities []string
	url        string
	steps      int
	pedantic   bool
}

func (f *settingFlags) define(cmd *cobra.Command) {
	f.profileFlags.define(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.failOn, "fail-on", "", "exit with 1 for findings of `SEVERITY` or above: error, warning, info, or off for none (default warning)")
	flags.StringSliceVar(&f.ignore, "ignore", nil, "do not report `CODE`; can be repeated or a list with commas")
	flags.StringSliceVar(&f.severities, "severity", nil, "report a code as `CODE=LEVEL`: error, warning, info or off; can be repeated")
	flags.BoolVar(&f.pedantic, "pedantic", false, "also report lines that are correct but unusual")
	flags.StringVar(&f.url, "url", "", "the `URL` at which the file is served")
	flags.IntVar(&f.steps, "steps", semdiff.DefaultSteps, "search for rules that decide nothing, and prove fixes, in at most `N` steps for each file; robots takes several million a second")
	complete(cmd, "fail-on", report.Severities())
	completeFrom(cmd, "ignore", completesCodes)
	completeFrom(cmd, "severity", completesSeverities)
	completeNothing(cmd, "url", "steps")
}

func (f *settingFlags) settings(t *term.Terminal) (*lintconfig.Finder, error) {
	flags := lintconfig.Settings{Profile: f.profile}
	if f.url != "" {
		url, err := report.ServedAt(f.url)
		if err != nil {
			return nil, term.Errorf("--url: %v", err).Hint("give the URL of the robots.txt, such as https://shop.example/robots.txt")
		}
		flags.URL = &url
	}
	if f.failOn != "" {
		severity, err := report.SeverityNamed(f.failOn)
		if err != nil {
			return nil, term.Errorf("--fail-on: %v", err)
		}
		flags.FailOn = &severity
	}
	if f.pedantic {
		flags.Pedantic = &f.pedantic
	}
	var err error
	flags.Severities, err = f.byCode()
	if err != nil {
		return nil, err
	}
	if f.steps < 0 {
		return nil, term.Errorf("--steps %d is below 0", f.steps).Hint("give a number of steps")
	}
	return f.finder(t, flags)
}

// byCode returns the severities that --severity and --ignore set. --ignore takes
// precedence.
func (f *settingFlags) byCode() (map[lint.Code]lint.Severity, error) {
	severities := make(map[lint.Code]lint.Severity)
	for _, text := range f.severities {
		name, level, _ := strings.Cut(text, "=")
		code, err := report.CodeNamed(name)
		if err != nil {
			return nil, term.Errorf("--severity: %v", err)
		}
		severities[code], err = report.SeverityNamed(level)
		if err != nil {
			return nil, term.Errorf("--severity %q: %v", text, err).Hint("give CODE=LEVEL, such as RX301=error")
		}
	}
	for _, text := range f.ignore {
		code, err := report.CodeNamed(text)
		if err != nil {
			return nil, term.Errorf("--ignore: %v", err)
		}
		severities[code] = lint.Off
	}
	return severities, nil
}

// finder returns the finder of each file's settings. The settings of the flags take
// precedence.
func (f *profileFlags) finder(t *term.Terminal, flags lintconfig.Settings) (*lintconfig.Finder, error) {
	finder := &lintconfig.Finder{Above: flags, None: f.noConfig, Found: func(name string) error {
		return separateFound(nil, t, slices.Values([]string{name}))
	}}
	if f.configFile == "" {
		return finder, nil
	}
	if f.noConfig {
		return nil, term.Errorf("--config and --no-config contradict each other").Hint("omit one of them")
	}
	text, err := readFile(f.configFile, 1, "give a settings file")
	if err != nil {
		return nil, err
	}
	finder.Only, err = lintconfig.Parse(f.configFile, text)
	return finder, err
}

func codeCompletions() (codes []string) {
	for _, e := range lint.Catalogue() {
		codes = append(codes, cobra.CompletionWithDesc(string(e.Code), e.Title),
			cobra.CompletionWithDesc(e.Name, e.Title))
	}
	return codes
}

func severityCompletions() (values []string) {
	for _, e := range lint.Catalogue() {
		for _, severity := range report.Severities() {
			values = append(values, string(e.Code)+"="+severity)
		}
	}
	return values
}

// settingsOf returns the settings of an argument. Standard input and sites have the
// settings of the current folder.
func settingsOf(finder *lintconfig.Finder, arg string) (lintconfig.Settings, error) {
	if isStdin(arg) || isSiteURL(arg) {
		arg = ""
	}
	s, err := finder.For(arg)
	if errors.Is(err, lintconfig.ErrRepeated) {
		err = errShown
	}
	return s, err
}
