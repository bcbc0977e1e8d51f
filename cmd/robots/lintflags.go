package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/origin"
)

// profileFlags say for whom a file is written, and where that is looked up.
type profileFlags struct {
	profile    profileFlag
	configFile string
	noConfig   bool
}

func (f *profileFlags) define(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&f.profile, "profile", "take the file as written for `PROFILE`: "+strings.Join(profileNames(), ", ")+" (default google)")
	flags.StringVar(&f.configFile, "config", "", "read the settings from `FILE` (default the nearest "+settingsFile+")")
	flags.BoolVar(&f.noConfig, "no-config", false, "read no "+settingsFile)
	complete(cmd, "profile", profileNames())
}

// profileFlag is the value of --profile; nil if it is not given.
type profileFlag struct{ given *lint.Profile }

func (f profileFlag) String() string {
	if f.given == nil {
		return ""
	}
	return f.given.String()
}

func (profileFlag) Type() string { return "string" }

func (f *profileFlag) Set(text string) error {
	p, err := profileNamed(text)
	if err == nil {
		f.given = &p
	}
	return err
}

func profileNames() (names []string) {
	for _, p := range lint.Profiles() {
		names = append(names, p.String())
	}
	return names
}

func profileNamed(text string) (p lint.Profile, err error) {
	if err = p.UnmarshalText([]byte(text)); err != nil {
		err = unknownValue(err, text, profileNames())
	}
	return p, err
}

// unknownValue adds to an error what was most likely meant.
func unknownValue(err error, text string, known []string) error {
	if near := term.Closest(strings.ToLower(text), known); near != "" {
		return fmt.Errorf("%w; did you mean %s?", err, near)
	}
	return err
}

// settingFlags are the settings on the command line.
type settingFlags struct {
	profileFlags
	failOn     string
	ignore     []string
	severities []string
	url        string
	work       int
}

func (f *settingFlags) define(cmd *cobra.Command) {
	f.profileFlags.define(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.failOn, "fail-on", "", "exit with 1 for findings of `SEVERITY` or above: error, warning, info, or off for none (default warning)")
	flags.StringSliceVar(&f.ignore, "ignore", nil, "do not report `CODE`; may be repeated, or several be separated by commas")
	flags.StringSliceVar(&f.severities, "severity", nil, "report a code as `CODE=LEVEL`: error, warning, info or off; may be repeated")
	flags.StringVar(&f.url, "url", "", "take the file as served at `URL`")
	flags.IntVar(&f.work, "work", 0, "compare at most so many `PAIRS` of patterns in search of rules that decide nothing (default 2000000)")
	complete(cmd, "fail-on", severityNames)
	complete(cmd, "ignore", codeCompletions())
	complete(cmd, "severity", severityCompletions())
	complete(cmd, "url", nil)
	complete(cmd, "work", nil)
}

var severityNames = []string{"error", "warning", "info", "off"}

// settings returns what finds the settings of each file, by the flags.
func (f *settingFlags) settings() (*settingFinder, error) {
	flags := settings{profile: f.profile.given}
	if f.url != "" {
		url, err := servedAt(f.url)
		if err != nil {
			return nil, term.Errorf("give the one of the robots.txt, such as https://shop.example/robots.txt", "--url: %v", err)
		}
		flags.url = &url
	}
	if f.failOn != "" {
		severity, err := severityNamed(f.failOn)
		if err != nil {
			return nil, term.Errorf("", "--fail-on: %v", err)
		}
		flags.failOn = &severity
	}
	var err error
	if flags.severities, err = f.byCode(); err != nil {
		return nil, err
	}
	if f.work < 0 {
		return nil, term.Errorf("give a number of pairs", "--work %d is below 0", f.work)
	}
	return f.finder(flags)
}

// byCode returns the severities that --severity and --ignore set. What is ignored
// stays so.
func (f *settingFlags) byCode() (map[lint.Code]lint.Severity, error) {
	severities := make(map[lint.Code]lint.Severity)
	for _, text := range f.severities {
		name, level, _ := strings.Cut(text, "=")
		code, err := codeNamed(name)
		if err != nil {
			return nil, term.Errorf("", "--severity: %v", err)
		}
		if severities[code], err = severityNamed(level); err != nil {
			return nil, term.Errorf("give CODE=LEVEL, such as RX301=error", "--severity %q: %v", text, err)
		}
	}
	for _, text := range f.ignore {
		code, err := codeNamed(text)
		if err != nil {
			return nil, term.Errorf("", "--ignore: %v", err)
		}
		severities[code] = lint.Off
	}
	return severities, nil
}

// finder returns what finds the settings of each file, below those of the flags.
func (f *profileFlags) finder(flags settings) (*settingFinder, error) {
	finder := &settingFinder{flags: flags, none: f.noConfig, folders: make(map[string]*folderSettings)}
	if f.configFile == "" {
		return finder, nil
	}
	if f.noConfig {
		return nil, term.Errorf("leave one of them out", "--config and --no-config contradict each other")
	}
	in, err := openFileInput(f.configFile)
	if err != nil {
		return nil, err
	}
	defer in.close()
	text, err := in.whole(mostSettings, "give a settings file")
	if err != nil {
		return nil, err
	}
	finder.only, err = parseSettings(f.configFile, text)
	return finder, err
}

// servedAt returns a URL at which a file can be served.
func servedAt(text string) (string, error) {
	if _, err := origin.Of(text); err != nil {
		return "", errors.New(term.Escape(err.Error()))
	}
	return text, nil
}

func severityNamed(text string) (s lint.Severity, err error) {
	if err = s.UnmarshalText([]byte(text)); err != nil {
		err = unknownValue(err, text, severityNames)
	}
	return s, err
}

// codeNamed returns the code that is given, in any case of letters, or by its
// name.
func codeNamed(text string) (lint.Code, error) {
	var known []string
	for _, e := range lint.Catalogue() {
		if strings.EqualFold(text, string(e.Code)) || strings.EqualFold(text, e.Name) {
			return e.Code, nil
		}
		known = append(known, e.Name)
	}
	err := fmt.Errorf("there is no code %q; --list lists them", text)
	if near := term.Closest(strings.ToLower(text), known); near != "" {
		err = fmt.Errorf("there is no code %q; did you mean %s?", text, near)
	}
	return "", err
}

func codeCompletions() (codes []string) {
	for _, e := range lint.Catalogue() {
		codes = append(codes, cobra.CompletionWithDesc(string(e.Code), e.Title))
	}
	return codes
}

func severityCompletions() (values []string) {
	for _, e := range lint.Catalogue() {
		for _, severity := range severityNames {
			values = append(values, string(e.Code)+"="+severity)
		}
	}
	return values
}
