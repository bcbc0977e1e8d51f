// Package robotshttp is an [http.RoundTripper] that obeys robots.txt: put it
// into an http.Client, or into a crawler that takes a transport, and disallowed
// URLs are refused before anything is sent.
//
//	robots, err := fetch.New(fetch.Config{
//		UserAgent: "FooBot/1.0 (+https://foobot.example/about)",
//	})
//	…
//	client := &http.Client{Transport: &robotshttp.Transport{Client: robots}}
//	response, err := client.Get("https://example.com/page")
//	if refused, ok := errors.AsType[*robotshttp.DisallowedError](err); ok {
//		log.Print(refused.Decision.Line) // and all other grounds
//	}
//
// # What is judged
//
// Every request is, whatever its method: rules are about URLs (RFC 9309 2.2).
// So is each redirect that an http.Client follows, by the robots.txt of the
// origin that it leads to. The URL counts as it is sent, without its fragment;
// Request.Host, which replaces the Host header, is not looked at.
//
// An origin's own /robots.txt goes straight to Transport.Base: it is always
// allowed (RFC 9309 2.2.2), and neither paced nor held. So do URLs of schemes
// other than http, https and ftp, which have no robots.txt. An http URL that
// has no valid origin is refused with the *origin.Error that says why.
//
// # Pacing
//
// Requests to one origin start no closer together than its robots.txt asks:
//
//   - Crawl-delay, a number of seconds.
//   - Request-rate, "n/t[s|m|h] [hhmm-hhmm]": n requests in t are spaced evenly,
//     t/n apart. A line with a time window, in UTC, asks for nothing outside of
//     it; one whose window cannot be read holds all day.
//   - Of several lines the slowest counts. Transport.MinDelay and MaxDelay
//     bound what they amount to.
//
// Visit-time is not enforced: whoever schedules visits finds it in
// robotstxt.Rules.Extensions.
//
// A response with status 429 or 503 and a Retry-After holds its origin until
// then, at most Transport.MaxRetryAfter. The response itself goes to the caller;
// nothing is sent twice. Without a Retry-After nothing is held.
//
// Requests wait in the order of their arrival, inside of RoundTrip. The wait
// ends with the request's context, and one that would outlast the context's
// deadline fails at once, with context.DeadlineExceeded. http.Client.Timeout is
// such a deadline: it includes all waits.
//
// # Cost
//
// A request that passes costs a few microseconds once its robots.txt is known.
// Only origins that somebody has to wait for take up memory, and no longer than
// that: see Transport.MaxOrigins.
package robotshttp
