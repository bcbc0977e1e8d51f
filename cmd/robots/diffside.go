package main

import (
	"context"
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/ask"
	"github.com/kosterhq/robotstxt/cmd/internal/prose"
	"github.com/kosterhq/robotstxt/cmd/internal/report"
	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// read returns the files of the arguments. A single one is both.
func (c *comparing) read(ctx context.Context, t *term.Terminal, args []string) (sides [2]*report.Side, err error) {
	var clients *runClients
	read := make(map[string]*report.Side)
	for i := range sides {
		arg := args[min(i, len(args)-1)]
		if read[arg] == nil {
			if url, ok := siteOf(t, arg); !ok {
				read[arg], err = c.readFile(t, arg)
			} else {
				if clients == nil {
					if clients, err = c.fetchFlags.open(ctx, t, c.dialect, c.limit); err != nil {
						return sides, err
					}
					defer clients.close()
				}
				clients.typed.add(url)
				read[arg], err = c.readSite(ctx, t, clients, url)
			}
			if err != nil {
				return sides, err
			}
		}
		s := *read[arg]
		s.Robots = c.dialectOf(i).Parse(s.File.Text)
		sides[i] = &s
	}
	return sides, nil
}

// siteOf returns the URL of an argument that is a URL, or a host but not a file.
func siteOf(t *term.Terminal, arg string) (url string, ok bool) {
	if isSiteURL(arg) {
		return arg, true
	}
	if !isHost(arg) {
		return "", false
	}
	urls, _ := withSchemes(t, []string{arg})
	return urls[0], true
}

func (c *comparing) readFile(t *term.Terminal, name string) (*report.Side, error) {
	file, err := readBody(t, name, c.limit)
	if err != nil {
		return nil, err
	}
	return &report.Side{Name: name, File: file}, nil
}

// readSite fetches a site's robots.txt. A site without one has an empty file. It is an
// error if the policy disallows the whole site, because there is no file to compare.
func (c *comparing) readSite(ctx context.Context, t *term.Terminal, clients *runClients, url string) (*report.Side, error) {
	o, err := origin.Of(url)
	if err != nil {
		return nil, term.Errorf("", "%s", term.Escape(err.Error()))
	}
	began := time.Now()
	result, err := clients.Robots(ctx, o.RobotsURL())
	if err != nil {
		return nil, err
	}
	ruling := ask.RuleSite(result, began, robotstxt.Google, nil)
	site := ruling.Site
	switch {
	case result.Outcome == fetch.OutcomeRules:
		for _, r := range remarksOn(o.RobotsURL(), ruling.File.Text, ruling.File.Text, ruling.File.Truncated, c.limit) {
			r.print(t)
		}
		return &report.Side{Name: o.RobotsURL(), File: ruling.File}, nil
	case result.Outcome == fetch.OutcomeAllowAll && site.Answered():
		remark := fmt.Sprintf("no file (%s): no restrictions, by policy %s", prose.Fault(site), result.Policy)
		return &report.Side{Name: o.RobotsURL(), Remark: remark, File: answer.NewFile(nil)}, nil
	case site.Fault == wire.FaultRefused:
		return nil, term.Errorf(prose.AllowHint, "%s %s", o.RobotsURL(), prose.Refused(site))
	case result.Outcome == fetch.OutcomeLocal:
		return nil, term.Errorf("", "%s cannot be requested from here: %s", o.RobotsURL(), term.Escape(site.Error))
	case result.Source == fetch.SourceAssumed:
		return nil, term.Errorf("try again later, or compare a saved copy",
			"%s is unreachable: %s", o.RobotsURL(), term.Escape(prose.Fault(site)))
	default:
		return nil, term.Errorf(`"robots policy" shows what other policies decide`,
			"%s has no file to compare (%s): policy %s disallows the whole site", o.RobotsURL(), prose.Fault(site), result.Policy)
	}
}
