package editing

import (
	"context"
	"fmt"
	"path"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/fix"
	"github.com/kosterhq/robotstxt/cmd/internal/show/report"
	"github.com/kosterhq/robotstxt/lint"
)

// Body is the robots.txt of a request.
type Body struct {
	Body       *string `json:"body,omitempty" doc:"The robots.txt."`
	BodyBase64 []byte  `json:"body_base64,omitempty" doc:"The robots.txt in base64, if it is not UTF-8."`
}

// bytes returns the body, which the request must have.
func (b *Body) bytes(limits calls.Limits) ([]byte, error) {
	return limits.Body("body", b.Body, b.BodyBase64)
}

// Settings are the settings of a .robotslint.yaml that affect findings.
type Settings struct {
	// Profile names the crawlers for which the file is written, see lint.Profile.
	// Default: google.
	Profile string `json:"profile,omitempty" doc:"The crawlers for which the file is written: google, bing, yandex, rfc9309, koster1996, production, staging. Default: google."`

	// URL is the URL at which the file is served. Default: unknown.
	URL string `json:"url,omitempty" doc:"The URL at which the file is served."`

	// Pedantic also reports lines that are correct but unusual.
	Pedantic bool `json:"pedantic,omitempty" doc:"Also report lines that are correct but unusual."`

	// Ignore has codes or names of findings that are not reported.
	Ignore []string `json:"ignore,omitempty" doc:"Codes or names of findings that are not reported."`

	// Severities has severities (error, warning, info, off) by code or name.
	Severities map[string]string `json:"severities,omitempty" doc:"Severities (error, warning, info, off) by code or name of a finding."`

	// Budget is the number of steps of the search for rules that decide nothing.
	// Default: Limits.LintSteps.
	Budget int `json:"budget,omitempty" doc:"The number of steps of the search for rules that decide nothing."`
}

// config returns the settings as the linter takes them.
func (s *Settings) config(limits calls.Limits) (config lint.Config, err error) {
	limits = limits.Filled()
	config.Severities = make(map[lint.Code]lint.Severity)
	config.Profile, err = profileNamed(s.Profile)
	if err != nil {
		return config, err
	}
	if s.URL != "" {
		config.URL, err = report.ServedAt(s.URL)
		if err != nil {
			return config, calls.Invalid("url", err)
		}
	}
	for name, level := range s.Severities {
		code, err := report.CodeNamed(name)
		if err != nil {
			return config, calls.Invalid("severities", err)
		}
		config.Severities[code], err = report.SeverityNamed(level)
		if err != nil {
			return config, calls.Invalid("severities/"+name, err)
		}
	}
	for i, name := range s.Ignore {
		code, err := report.CodeNamed(name)
		if err != nil {
			return config, calls.Invalid(fmt.Sprintf("ignore/%d", i), err)
		}
		config.Severities[code] = lint.Off
	}
	config.Pedantic = s.Pedantic
	config.Steps, err = calls.Budget("LintSteps", s.Budget, limits.LintSteps)
	return config, err
}

// profileNamed returns the profile with a name, google for an empty one.
func profileNamed(name string) (lint.Profile, error) {
	if name == "" {
		return lint.Google, nil
	}
	profile, err := report.ProfileNamed(name)
	if err != nil {
		return 0, calls.Invalid("profile", err)
	}
	return profile, nil
}

// LintRequest is a query for the findings of a file.
type LintRequest struct {
	Body
	Settings

	// File is the name of the file in the result. Crawlers request robots.txt only, so
	// another name is a finding. Default: unknown.
	File string `json:"file,omitempty" doc:"The name of the file in the result."`

	// Fix is "plain" to make the fixes that are proved to change no verdict, or "all" to
	// make fixes that change verdicts as well. Default: none.
	Fix string `json:"fix,omitempty" enum:"plain,all" doc:"Make fixes: plain ones change no verdict, all includes those that do."`

	// All returns all findings, instead of at most 1,000, and at most 100 of a code and severity: of some, one.
	All bool `json:"all,omitempty" doc:"Return all findings, instead of at most 1,000, and at most 100 of a code and severity: of some, one."`
}

// Lint returns the findings of a file. If fixes are requested, the findings are about
// the fixed file, which is in the result.
func Lint(ctx context.Context, r *LintRequest, limits calls.Limits) (*wire.Findings, error) {
	body, err := r.bytes(limits)
	if err != nil {
		return nil, err
	}
	config, err := r.config(limits)
	if err != nil {
		return nil, err
	}
	if r.File != "" {
		config.File = path.Base(r.File)
	}
	if r.All {
		config.MaxFindings, config.MaxPerCode = -1, -1
	}
	switch r.Fix {
	case "":
		w := report.WireFindings(r.File, config.Profile, lint.Inspect(body, config))
		return &w, nil
	case "plain", "all":
		return fixed(ctx, r, body, config, limits)
	}
	return nil, &calls.Error{Code: calls.CodeInvalid, Field: "fix", Message: fmt.Sprintf("there are no fixes of kind %q", r.Fix), Hint: "use plain or all"}
}

func fixed(ctx context.Context, r *LintRequest, body []byte, config lint.Config,
	limits calls.Limits) (*wire.Findings, error) {
	if err := fixable(body, config, limits); err != nil {
		return nil, err
	}
	result, err := fix.Make(ctx, body, fix.Config{Lint: config, All: r.Fix == "all", Steps: config.Steps})
	if err != nil {
		return nil, err
	}
	w := report.WireFindings(r.File, config.Profile, lint.Limit(result.Findings, config))
	w.Fixed, w.Mended, w.NotFixed, w.Changes = result.Made, result.Mended, result.WireRefused(), result.WireChanges()
	text := string(result.Body)
	w.Body = &text
	return &w, nil
}

// fixable returns an error if a file has too many findings to fix.
func fixable(body []byte, config lint.Config, limits calls.Limits) error {
	limit := limits.Filled().Fixes
	if limit < 0 {
		return nil
	}
	n := 0
	for _, c := range lint.Inspect(body, config).Counts {
		n += c.Plain + c.Meant
	}
	if n <= limit {
		return nil
	}
	return &calls.Error{Code: calls.CodeLimit, Field: "fix", Limit: "Fixes", Message: fmt.Sprintf("%d findings have a fix, more than the limit of %d", n, limit),
		Hint: "make some of the fixes first"}
}
