package main

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/visitor"
)

func newVisitsLists(t *term.Terminal) *cobra.Command {
	var guard guardFlags
	var proxy proxyName
	cmd := &cobra.Command{
		Use:   "lists [flags] DIR",
		Short: "Fetch the lists of addresses that operators of crawlers publish",
		Long: `Fetch the lists of addresses that operators of crawlers publish into a folder, from which
"robots visits" reads them. Run it daily: robots keeps older lists, because it compares a
visit with the list that applied then. It fetches the lists one after the other, each at
most once an hour. If it cannot fetch a list, or the response is not a list, robots names
the list, keeps the older one, and still fetches the others.

Exit status: 0, or 2 if a list could not be fetched.`,
		Example: `  robots visits lists lists`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return term.Errorf("%d folders are given", len(args)).Hint("name the folder that keeps the lists")
			}
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			choose, err := proxy.choose()
			if err != nil {
				return err
			}
			return fetchLists(ctx, t, args[0], newListTransport(guard.guard(), choose))
		},
	}
	defineProxy(cmd, &proxy)
	guard.defineExceptions(cmd, cmd.Flags())
	cmd.ValidArgsFunction = nil
	return cmd
}

func fetchLists(ctx context.Context, t *term.Terminal, dir string, transport http.RoundTripper) error {
	lists, err := visitor.OpenLists(dir)
	if err != nil {
		return term.Errorf("cannot read the lists: %s", term.Printable(err))
	}
	if err := lists.Err(); err != nil {
		t.PrintError(term.Errorf("%s", term.Printable(err)).Hint("remove it from the index"))
	}
	client := &http.Client{Transport: transport}
	var fetched atomic.Int64
	urls := visitor.URLs()
	progress := t.StartProgress(false)
	progress.Files(func() term.Done {
		return term.Done{Files: int(fetched.Load()), Share: float64(fetched.Load()) / float64(len(urls))}
	})
	var failed []error
	for _, list := range urls {
		if ctx.Err() != nil {
			break
		}
		if err := lists.FetchURL(ctx, client, list); err != nil {
			failed = append(failed, err)
		}
		fetched.Add(1)
	}
	progress.End()
	if ctx.Err() != nil {
		return orInterrupted(ctx.Err())
	}
	for _, err := range failed {
		t.PrintError(term.Errorf("%s", term.Printable(err)).Hint("robots keeps the older list, if it has one"))
	}
	t.Note("%s of %d are in %q", term.Count(len(urls)-len(failed), "list", "lists"), len(urls), dir)
	return ending(len(failed) > 0, false)
}

// listTransport sends the header of the tool. The guard checks each address to which it
// connects, except the proxy's, which the user has chosen.
type listTransport struct {
	choose        func(*http.Request) (*url.URL, error) // the proxy of a request; can be nil
	guarded, open *http.Transport
}

func newListTransport(guard fetch.Guard, choose func(*http.Request) (*url.URL, error)) *listTransport {
	return &listTransport{
		choose: choose, guarded: &http.Transport{DialContext: guard.DialContext, ForceAttemptHTTP2: true},
		open: &http.Transport{Proxy: choose, ForceAttemptHTTP2: true},
	}
}

func (l *listTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("User-Agent", defaultUserAgent())
	if l.choose != nil {
		proxy, err := l.choose(r)
		if err != nil {
			return nil, errors.New("HTTPS_PROXY is not the URL of a proxy") // err can contain a password
		}
		if proxy != nil {
			return l.open.RoundTrip(r)
		}
	}
	return l.guarded.RoundTrip(r)
}
