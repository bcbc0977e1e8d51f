// Package fetchmetrics counts what a robots.txt client does, for Prometheus. It is a
// separate module, so that only programs that import it require the Prometheus
// library.
//
//	metrics, err := fetchmetrics.New(prometheus.DefaultRegisterer)
//	if err != nil {
//		return err
//	}
//	client, err := fetch.New(fetch.Config{
//		UserAgent: "FooBot/1.0 (+https://foobot.example/about)",
//		Observe:   metrics.Observe,
//		OnFetch:   metrics.OnFetch,
//		OnChange:  metrics.OnChange,
//	})
//
// The metrics, all of which begin with "robotstxt_", are listed in
// docs/operations.md. No label contains text from a site or a site's name, so the
// number of time series is fixed: about 100.
package fetchmetrics

import (
	"errors"

	"github.com/kosterhq/robotstxt/fetch"
	"github.com/prometheus/client_golang/prometheus"
)

// Metrics counts the events of one or more clients. Its methods fit the fields
// Observe, OnFetch and OnChange of fetch.Config. It is safe for concurrent use. New makes it;
// a zero Metrics panics.
type Metrics struct {
	lookups   *prometheus.CounterVec
	fetches   *prometheus.CounterVec
	responses *prometheus.CounterVec
	store     *prometheus.CounterVec
	changes   *prometheus.CounterVec
	duration  *prometheus.HistogramVec
	waited    prometheus.Histogram
	refreshes prometheus.Counter
	redirects prometheus.Counter
	bytes     prometheus.Counter

	hits, misses, storeHits, storeErrors prometheus.Counter // of lookups and store, which hits need quickly
}

// New returns metrics that are registered with r. It returns the error of r, for
// example if another Metrics is registered there. A nil r registers nothing.
func New(r prometheus.Registerer) (*Metrics, error) {
	m := &Metrics{
		lookups:   counters("lookups_total", "Calls of a client, by whether memory had the answer.", "result"),
		fetches:   counters("fetches_total", "Fetches of a robots.txt that have ended, by result and reason.", "result", "reason"),
		responses: counters("responses_total", "Responses to these fetches, by status class.", "class"),
		store:     counters("store_reads_total", "Entries found in the store, and failures of the store.", "result"),
		changes:   counters("changes_total", "Changed origins, by the property that changed.", "property"),
		refreshes: counter("refreshes_total", "Fetches in the background, before an answer in use expires."),
		redirects: counter("redirects_total", "Redirects that were followed."),
		bytes:     counter("fetched_bytes_total", "Decoded bytes of files that were read."),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: namespace + "fetch_duration_seconds", Help: "Duration of fetches, without the wait for their turn.",
			Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"result"}),
		waited: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: namespace + "fetch_wait_seconds", Help: "Wait of fetches for their turn, see MaxFetches.",
			Buckets: []float64{.001, .01, .1, 1, 10, 60, 600},
		}),
	}
	m.prepare()
	if r == nil {
		return m, nil
	}
	all := []prometheus.Collector{m.lookups, m.fetches, m.responses, m.store, m.changes, m.refreshes, m.redirects,
		m.bytes, m.duration, m.waited}
	for i, c := range all {
		if err := r.Register(c); err != nil {
			for _, registered := range all[:i] {
				r.Unregister(registered)
			}
			return nil, errors.Join(errors.New("fetchmetrics: cannot register the metrics"), err)
		}
	}
	return m, nil
}

const namespace = "robotstxt_"

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: namespace + name, Help: help}, labels)
}

func counter(name, help string) prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{Name: namespace + name, Help: help})
}

// prepare makes the series that a hit needs, and those whose absence would look like
// a missing metric.
func (m *Metrics) prepare() {
	m.hits, m.misses = m.lookups.WithLabelValues("hit"), m.lookups.WithLabelValues("miss")
	m.storeHits, m.storeErrors = m.store.WithLabelValues("hit"), m.store.WithLabelValues("error")
	for _, class := range []string{"none", "2xx", "3xx", "4xx", "5xx", "other"} {
		m.responses.WithLabelValues(class)
	}
	for _, property := range []string{"file", "outcome", "source", "reachability"} {
		m.changes.WithLabelValues(property)
	}
	for _, result := range []string{"fetched", "failed", "refused", "local"} {
		m.duration.WithLabelValues(result)
	}
}

// Observe counts an event, except the end of a fetch, which OnFetch counts. It is a function for Config.Observe.
func (m *Metrics) Observe(e fetch.Event) {
	switch e.Kind {
	case "hit":
		m.hits.Inc()
	case "miss":
		m.misses.Inc()
	case "refresh":
		m.refreshes.Inc()
	case "store-hit":
		m.storeHits.Inc()
	case "store-error":
		m.storeErrors.Inc()
	}
}

// OnFetch counts a fetch that has ended. It is a function for Config.OnFetch.
func (m *Metrics) OnFetch(s *fetch.Stored) {
	var status int
	var hops []fetch.Hop
	if s.Fault != nil {
		status, hops = s.Fault.Status, s.Fault.Hops
	} else if s.Answer != nil {
		status, hops = s.Answer.Status, s.Answer.Hops
	}
	m.fetches.WithLabelValues(s.Kind, string(s.Reason)).Inc()
	m.responses.WithLabelValues(statusClass(status)).Inc()
	m.duration.WithLabelValues(s.Kind).Observe(s.Took.Seconds())
	m.waited.Observe(s.Waited.Seconds())
	m.redirects.Add(float64(len(hops)))
	m.bytes.Add(float64(s.Bytes))
}

// statusClass returns the class of an HTTP or FTP status, which a site chooses, as one
// of six labels.
func statusClass(status int) string {
	switch {
	case status == 0:
		return "none"
	case 200 <= status && status <= 599:
		return string(rune('0'+status/100)) + "xx"
	default:
		return "other"
	}
}

// OnChange counts a change once for each property that is different. It is a
// function for Config.OnChange.
func (m *Metrics) OnChange(c fetch.Change) {
	for _, property := range c.What {
		m.changes.WithLabelValues(property).Inc()
	}
}
