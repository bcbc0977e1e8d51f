package editing

import (
	"context"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/generate"
	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
)

// GenerateRequest is a robots.txt, with intentions for crawlers.
type GenerateRequest struct {
	Body

	// No is refused, and Yes is allowed: purposes, crawlers and operators with commas
	// between them, and an optional path, such as ai-fetch=/members/.
	No  []string `json:"no,omitempty" doc:"Refused purposes, crawlers and operators, with commas between them and an optional path, such as ai-fetch=/members/."`
	Yes []string `json:"yes,omitempty" doc:"Allowed ones, in the same form."`

	// Signals are content-usage and content-signal: the lines that state the use of pages.
	Signals []string `json:"signals,omitempty" doc:"The lines that state the use of pages: content-usage, content-signal. Default: none."`

	// Lang is the language of the result's sentences. Without it there are none.
	Lang string `json:"lang,omitempty" doc:"Adds sentences about the new lines in this language, en or de, and the difference of the files."`
}

// Generate writes intentions into a file, if it is proved that no other verdict changes. An
// empty file is a new one.
func Generate(ctx context.Context, r *GenerateRequest, limits calls.Limits) (*wire.Generated, error) {
	body, err := r.bytes(limits)
	if err != nil {
		return nil, err
	}
	if err := calls.Lang(r.Lang); err != nil {
		return nil, err
	}
	config := generate.Config{Steps: max(0, limits.DiffSteps), Language: language.Language(r.Lang)}
	for _, field := range []struct {
		name  string
		texts []string
		add   func(...string) error
	}{
		{"no", r.No, func(texts ...string) error { return config.Add(false, texts...) }},
		{"yes", r.Yes, func(texts ...string) error { return config.Add(true, texts...) }},
		{"signals", r.Signals, config.AddSignals},
	} {
		if err := limits.Texts(field.name, field.texts...); err != nil {
			return nil, err
		}
		if err := field.add(field.texts...); err != nil {
			return nil, calls.Invalid(field.name, err)
		}
	}
	result, err := generate.Write(ctx, body, config)
	if err != nil && ctx.Err() == nil {
		err = calls.Invalid("body", err)
	}
	return result, err
}
