// Package fetch is a robots client: from a URL to the robots.txt that governs
// it, through redirects, status codes, caching and faults, to a decision.
//
//	client, err := fetch.New(fetch.Config{
//		UserAgent: "FooBot/1.0 (+https://foobot.example/about)",
//	})
//	…
//	allowed, err := client.Allowed(ctx, "https://example.com/page")
//
// A broken site is no error: it is a [Result] that says what the [Policy] makes
// of it and why. Errors are misuse (a URL without an origin), a context that
// ended first, and [ErrClosed].
//
// # What a client promises
//
//   - An origin is asked once at a time, whoever wants to know, and not again
//     before its answer has expired or its back-off has run out.
//   - An answer in use is refreshed ahead of its end, in the background.
//   - A failed or partial fetch never allows anything, except where the policy
//     says so; the result then says that it is assumed.
//   - A fetch is bounded: in time, in redirects, in bytes on the wire, in
//     headers and in decoded bytes.
//   - Rules of a file reached through redirects govern the origin that was
//     asked, and no other one, unless the file is that one's own.
//   - Private, loopback and other special-purpose addresses are not dialled,
//     on any hop, unless the configuration says so.
//   - Requests carry a User-Agent and what HTTP needs; no cookies, no
//     credentials, no Referer.
//
// The clauses behind it are Google's documentation page, RFC 9309 2.3 to 2.5,
// and Koster 3.1 and 3.4; [Policy.Table] prints what they amount to, and so does
// docs/policies.md.
package fetch
