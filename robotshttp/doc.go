// Package robotshttp provides an [http.RoundTripper] that obeys robots.txt. Use
// it as the Transport of an http.Client or of a crawler: it returns an error for
// disallowed URLs instead of sending the request, and it waits between requests
// as the site's robots.txt requires.
//
//	robots, err := fetch.New(fetch.Config{
//		UserAgent: "FooBot/1.0 (+https://foobot.example/about)",
//	})
//	if err != nil {
//		return err
//	}
//	client := &http.Client{Transport: &robotshttp.Transport{Client: robots}}
//	response, err := client.Get("https://example.com/page")
//	var refused *robotshttp.DisallowedError
//	if errors.As(err, &refused) {
//		log.Print(refused.Decision.Line) // the deciding line of robots.txt
//	}
//
// A request without a User-Agent gets the Client's, in place of net/http's own, so that
// the site sees the crawler whose rules it obeys. If Transport.Agents obeys the rules for another
// crawler, set Transport.UserAgent as well.
//
// # Which requests are checked
//
// The [Transport] checks every request, whatever its method, because rules apply
// to URLs. That includes each redirect that an http.Client follows, which is
// checked with the robots.txt of its own origin. The Transport checks the URL as
// it is sent, without its fragment. It ignores Request.Host. [RFC 9309 2.2]
//
// Three kinds of requests go to Transport.Base without a check and without a
// wait: those for an origin's own /robots.txt, which is always allowed; those
// with a scheme other than http, https and ftp; and those without a host. A URL
// with one of these schemes and an invalid host is refused with an
// *origin.Error. [RFC 9309 2.2.2]
//
// The error of a refused request is a [*DisallowedError]. Its [Cause] is a rule that
// disallows the URL, an unreachable robots.txt, or a fault of this machine. Temporary
// and RetryAfter say whether and when to try again.
//
// # Pacing
//
// Requests wait in queues. Each host has one, which all its schemes and ports share;
// Transport.Queue chooses others, such as one for each IP address or registered
// domain. After a request with a delay, no other request of its queue starts until
// the delay has passed. Two lines of robots.txt set the delay:
//
//   - Crawl-delay, a number of seconds.
//   - Request-rate, "n/t[s|m|h] [hhmm-hhmm]": n requests in the time t, so that
//     the delay is t/n. A line with a time window applies only in that window,
//     in UTC. If the window cannot be read, the line applies all day.
//
// If several lines apply, the longest delay does. Transport.MaxDelay limits it: a
// Crawl-delay of 300 with the default MaxDelay of 30 s delays requests by 30 s, or is
// refused with a *DelayError if Transport.RefuseLongDelays is set. Without such
// lines Transport.DefaultDelay applies. Transport.MinDelay is a lower limit in any
// case. Transport.MaxPerHost limits how many requests are under way at once.
//
// The Transport does not enforce Visit-time. Programs that schedule visits find
// it in robotstxt.Rules.Extensions.
//
// After a response with status 429 or 503 and a Retry-After header, the Transport
// delays all requests of that queue until the given time, at most
// Transport.MaxRetryAfter. It returns the response to the caller and does not
// repeat the request.
//
// Requests wait inside RoundTrip, in the order of their arrival. If the request's
// context ends, the wait ends with the context's error, and the requests after it move up. If the
// wait would exceed the context's deadline, RoundTrip returns context.DeadlineExceeded immediately.
// http.Client.Timeout is such a deadline and includes all waits.
//
// If the Client has a fetch.Freshness.Clock, all these times follow it: a simulation sets
// it, and waiting requests notice within 10 milliseconds. Deadlines always follow the
// system's clock, so with another clock the wait is not compared with them in advance.
//
// # Use of pages
//
// Package robotshttp/permission decides what a fetched page may be used for, from the
// robots.txt and the response. It needs Transport.KeepResult.
//
// # Cost
//
// An allowed request without a wait takes a few additional microseconds once its
// robots.txt is cached. Only queues with a current delay, a block or requests under
// way use memory, see Transport.MaxQueues.
package robotshttp
