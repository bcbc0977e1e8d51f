package robotstxt

import "time"

// CrawlDelay returns the time that the site wants between two requests of the crawler.
// It is not ok if the site does not specify one. A Crawl-delay line applies to the agents
// of its list, see Extension.Agents; of several lines the largest counts. A value that is
// negative or not a decimal number of seconds is ignored.
func (r Rules) CrawlDelay() (delay time.Duration, ok bool) {
	for e := range r.Extensions() {
		if e.Name != extensionNames[keptCrawlDelay] {
			continue
		}
		if d, valid := parseSeconds(e.Value); valid {
			delay, ok = max(delay, d), true
		}
	}
	return delay, ok
}

// parseSeconds parses digits with an optional fraction, such as "10", "0.5" or ".5". For
// a value that is too large it returns the largest Duration.
func parseSeconds(s string) (time.Duration, bool) {
	const largest = time.Duration(1<<63 - 1)
	var whole, fraction time.Duration
	unit, digits, point, tooLarge := time.Second, 0, false, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '.' && !point:
			point = true
		case c < '0' || c > '9':
			return 0, false
		case point:
			digits++
			unit /= 10
			fraction += time.Duration(c-'0') * unit
		default:
			digits++
			if whole = whole*10 + time.Duration(c-'0'); tooLarge || whole > largest/time.Second {
				tooLarge, whole = true, 0
			}
		}
	}
	delay := whole*time.Second + fraction
	if tooLarge || delay < 0 {
		delay = largest
	}
	return delay, digits > 0
}
