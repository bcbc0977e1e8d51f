// Package fetch is a robots.txt client. For a URL it finds the robots.txt that
// governs it, fetches and caches that file, and decides whether a crawler may
// request the URL.
//
//	client, err := fetch.New(fetch.Config{
//		UserAgent: "FooBot/1.0 (+https://foobot.example/about)",
//	})
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	allowed, err := client.Allowed(ctx, "https://example.com/page")
//
// # Where to start
//
// Make one [Client] with [New] and share it between all goroutines of a program.
// [Config] documents every setting; only UserAgent is required. Then call one of
// three methods for a URL. They differ only in how much they return:
//
//   - [Client.Allowed] returns true or false.
//   - [Client.Decide] returns a [Decision]: the verdict, the line of the file
//     that decides it, and the Result it comes from.
//   - [Client.Robots] returns the [Result] alone, for programs that check many
//     URLs of one site: [Result.Rules] selects the rules of a crawler.
//
// [Ahead] looks up the sites of many URLs in their order, and [Client.Prefetch] in
// advance. [Client.Refresh] and [Client.Invalidate] are for sites that are known
// to have changed.
//
// # Results and faults
//
// A site that fails is not an error. Its [Result] contains the decision of the
// policy ([Outcome]), where the answer comes from ([Source]), and why ([Reason], and
// Result.Detail in words). While robots.txt is unreachable, Result.Err is a
// [*FaultError] with the fault of the last attempt. Result.Hops lists the redirects,
// one [Hop] each.
//
// The methods return an error only for a URL without an origin ([*origin.Error]), for
// a context that ended, after Close ([ErrClosed]), and if the request failed on this
// machine: [FaultError.Local]. The last error says nothing about the site, so the
// program should try again later. New returns a [*ConfigError] for an invalid Config.
//
// # Policies
//
// A [Policy] defines what each status code and each fault means, how long an
// answer is fresh, and what applies while robots.txt is unreachable. The default
// is [GooglePolicy]; [RFC9309Policy], [GoogleLadderPolicy], [KosterPolicy] and
// [CarefulPolicy] are the others, and [Policies] lists them. docs/policies.md has their
// tables. [LooksNotFound] is an optional detector for servers that answer 500 instead of
// 404.
//
// # Stores
//
// The client keeps parsed files in memory. Config.Store adds a [cache.Store] that
// outlives the process or that several processes share. Clients with different
// policies and limits can share a store. It keeps the responses of each fetch, and a
// client fetches again if its own policy or limits would have gone further than that
// fetch. [ReadEntry] reads an entry of a store into a [Stored], with its
// [StoredAnswer] and [StoredFault], for tools that list or inspect a cache.
//
// # Events
//
// Config.Observe receives an [Event] for each cache hit, fetch and fault; its Kind is a label
// for a counter. Config.OnFetch receives the result of each fetch, as a [Stored] with the
// body; module history keeps it. Config.OnChange receives a [Change] when the file or outcome
// of a site is different: Change.What lists the differences, and two [Known] are the state
// before and after. Config.Logger receives faults and warnings. Module fetch/fetchmetrics
// counts events for Prometheus. [RetryAfter] reads a Retry-After header for other clients.
//
// # Guarantees
//
//   - A client makes one fetch per origin at a time, however many callers wait
//     for it.
//   - A fresh answer is not fetched again until the last tenth of its lifetime.
//     Then a call refreshes it in the background.
//   - After a fault, no fetch starts before the back-off has ended, except by
//     Refresh.
//   - A failed or partial fetch never allows a URL unless the policy allows it.
//     The Source of such a result is SourceStale or SourceAssumed.
//   - Trouble of this machine or its network is never stored, and begins no outage
//     of a site.
//   - The number of fetches under way is bounded by Limits.MaxFetches, and for one
//     address by Limits.MaxFetchesPerAddress if that is set. Fetches of Client.Open
//     are included.
//   - Every fetch is bounded: in time, redirects, bytes on the wire, header
//     bytes and decoded bytes.
//   - The rules of a file reached through redirects apply to the origin that was
//     requested. They apply to the origin that served the file only if it is
//     that origin's own /robots.txt.
//   - Private, loopback and other special-purpose addresses are not dialled, on
//     any hop, unless the Config allows it.
//   - Requests contain a User-Agent and the headers that HTTP needs, but no
//     cookies, credentials or Referer.
//
// The sources are Google's documentation page ("Page" in comments), RFC 9309
// and Koster's 1996 draft. [RFC 9309 2.3 to 2.5, Koster 3.1 and 3.4]
package fetch
