package serve

import (
	"maps"
	"net/http"
	"net/http/pprof"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/kosterhq/robotstxt/fetch/fetchmetrics"
)

// metrics counts requests and connections. No label contains text of a request.
type metrics struct {
	registry *prometheus.Registry
	fetches  *fetchmetrics.Metrics
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	limited  *prometheus.CounterVec
	verdicts prometheus.Counter
	streams  prometheus.Gauge
	evicted  prometheus.Counter

	unfollowed prometheus.Counter // redirects
}

// expect makes the series of an endpoint before its first request. Otherwise a rate would
// not include that request.
func (m *metrics) expect(endpoint string) {
	m.requests.WithLabelValues(endpoint, "200", faultNone)
	m.duration.WithLabelValues(endpoint)
}

func (s *Server) newMetrics() (*metrics, error) {
	registry := prometheus.NewRegistry()
	metric := promauto.With(registry) // it panics if a name is taken
	m := &metrics{
		registry: registry,
		requests: metric.NewCounterVec(prometheus.CounterOpts{Name: "robots_requests_total", Help: "Requests, by operation, status, and who caused a failure: client, site, service or none."}, []string{"operation", "status", "fault"}),
		duration: metric.NewHistogramVec(prometheus.HistogramOpts{
			Name: "robots_request_duration_seconds", Help: "Duration of requests, by operation, without the wait of check and explain for sites.",
			Buckets: []float64{.0005, .001, .005, .01, .05, .1, .5, 1, 5, 30},
		}, []string{"operation"}),
		limited:    metric.NewCounterVec(prometheus.CounterOpts{Name: "robots_refused_total", Help: "Refused requests, by problem code."}, []string{"code"}),
		verdicts:   metric.NewCounter(prometheus.CounterOpts{Name: "robots_stream_lines_total", Help: "Answered lines of streams."}),
		streams:    metric.NewGauge(prometheus.GaugeOpts{Name: "robots_streams", Help: "Open streams."}),
		unfollowed: metric.NewCounter(prometheus.CounterOpts{Name: "robots_redirects_refused_total", Help: "Redirects of robots.txt files that were not followed because their target had had enough requests. They count as local fetches."}),
		evicted:    metric.NewCounter(prometheus.CounterOpts{Name: "robots_connections_closed_total", Help: "Connections closed because there were too many."}),
	}
	registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if s.config.Store != nil {
		metric.NewGaugeFunc(prometheus.GaugeOpts{Name: "robots_store_up", Help: "Whether the last read and the last write of the store succeeded: 1 or 0."}, func() float64 {
			if s.storeState() == storeOK {
				return 1
			}
			return 0
		})
	}
	var err error
	m.fetches, err = fetchmetrics.New(registry)
	return m, err
}

// Reasons why a request was not answered, by whose fault it is, for the metric.
const (
	faultNone    = "none"
	faultClient  = "client"
	faultSite    = "site"
	faultService = "service"
)

func faultOf(c *call) string {
	switch {
	case c.code == codeUnreachable, c.code == codeNotSitemap, c.code == codeSiteTimeout:
		return faultSite
	case c.status >= http.StatusInternalServerError, c.code == internalError.Code:
		return faultService
	case c.status >= http.StatusBadRequest:
		return faultClient
	}
	return faultNone
}

// storeState returns the state of the store in a word, from its last operations. The service
// can be ready without its store: it then fetches from sites.
func (s *Server) storeState() string {
	if s.config.Store == nil {
		return "none"
	}
	switch read, write := s.fetcher.StoreErr(); {
	case read != nil:
		return "unreachable"
	case write != nil:
		return "unwritable"
	}
	return storeOK
}

const storeOK = "ok"

// admin returns the handler of the second listener. It checks requests as the first
// listener does, because a website could read profiles too.
func (s *Server) admin() http.Handler {
	mux := http.NewServeMux()
	text := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body + "\n"))
		}
	}
	mux.HandleFunc("GET /healthz", text(http.StatusOK, "ok"))
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		status, state := http.StatusOK, "ok"
		if s.draining.Load() {
			status, state = http.StatusServiceUnavailable, "draining"
		}
		text(status, state+"\nstore: "+s.storeState())(w, r)
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { notFound.write(w) })
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), commonHeaders)
		p := checkOrigin(r)
		if r.Header.Get("Sec-Fetch-Site") == "cross-site" {
			p = foreign // an image on a website could start a profile
		}
		if p == nil && !s.config.AdminPublic {
			p = s.checkHost(r)
		}
		if p != nil {
			p.write(w)
			return
		}
		mux.ServeHTTP(w, r)
	})
}
