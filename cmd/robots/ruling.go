package main

import (
	"context"
	"iter"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/fetch"
)

// ruling is a robots.txt as the crawlers asked for see it, or what holds in
// place of one.
type ruling struct {
	body   *body
	robots *robotstxt.Robots // nil if there is no file
	rules  []robotstxt.Rules // of each crawler
	found  *finding          // nil with --file

	others []reading // the file in the dialects that were not asked for; explain fills it in
}

// ruleFile returns what a file from --file says.
func (in *inquiry) ruleFile(b *body) *ruling {
	r := &ruling{body: b, robots: in.dialect.Parse(b.text)}
	for _, c := range in.crawlers {
		r.rules = append(r.rules, c.rules(r.robots))
	}
	return r
}

// ruleSite returns what a site says.
func (in *inquiry) ruleSite(result *fetch.Result) *ruling {
	r := &ruling{body: newBody(result.Body()), robots: result.Robots(), found: newFinding(result, in.began)}
	for _, c := range in.crawlers {
		r.rules = append(r.rules, c.siteRules(result))
	}
	return r
}

// visit is a URL with the ruling it is under.
type visit struct {
	url      string
	compared string // as it is compared
	ruling   *ruling
	err      error // there is none, as the URL belongs to no site
}

// visits yields all URLs in their order. An error ends it.
func (in *inquiry) visits(ctx context.Context) iter.Seq2[*visit, error] {
	if in.sites != nil {
		return in.visitSites(ctx)
	}
	return func(yield func(*visit, error) bool) {
		for url, err := range in.urls.all {
			if err == nil {
				err = ctx.Err()
			}
			if !yield(&visit{url: url, compared: robotstxt.EncodeURL(url), ruling: in.file}, err) || err != nil {
				return
			}
		}
	}
}

func (in *inquiry) visitSites(ctx context.Context) iter.Seq2[*visit, error] {
	return func(yield func(*visit, error) bool) {
		for e, err := range in.sites.ask(ctx, in.urls) {
			if err != nil {
				yield(nil, err)
				return
			}
			v := &visit{url: e.url, err: e.err}
			if e.site != nil {
				if e.site.ruling == nil {
					e.site.ruling = in.ruleSite(e.site.result)
				}
				v.compared, v.ruling = robotstxt.EncodeURL(e.url), e.site.ruling
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}
