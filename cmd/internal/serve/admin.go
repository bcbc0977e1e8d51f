package serve

import (
	"net/http"
	"net/http/pprof"
	"strconv"
	"time"

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
}

// newMetrics returns the metrics of a service. store is nil for a service without one.
func newMetrics(store *storeState) (*metrics, error) {
	registry := prometheus.NewRegistry()
	metric := promauto.With(registry) // it panics if a name is taken
	m := &metrics{
		registry: registry,
		requests: metric.NewCounterVec(prometheus.CounterOpts{Name: "robots_requests_total", Help: "Requests, by operation and status."}, []string{"operation", "status"}),
		duration: metric.NewHistogramVec(prometheus.HistogramOpts{
			Name: "robots_request_duration_seconds", Help: "Duration of requests, by operation.",
			Buckets: []float64{.0005, .001, .005, .01, .05, .1, .5, 1, 5, 30},
		}, []string{"operation"}),
		limited:  metric.NewCounterVec(prometheus.CounterOpts{Name: "robots_refused_total", Help: "Requests that were refused, by code of the problem."}, []string{"code"}),
		verdicts: metric.NewCounter(prometheus.CounterOpts{Name: "robots_stream_lines_total", Help: "Lines that were answered in streams."}),
		streams:  metric.NewGauge(prometheus.GaugeOpts{Name: "robots_streams", Help: "Streams that are open."}),
		evicted:  metric.NewCounter(prometheus.CounterOpts{Name: "robots_connections_closed_total", Help: "Connections that were closed because there were too many."}),
	}
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if store != nil {
		metric.NewGaugeFunc(prometheus.GaugeOpts{Name: "robots_store_up", Help: "Whether the store answers: 1 or 0."}, func() float64 {
			if store.up() {
				return 1
			}
			return 0
		})
	}
	var err error
	m.fetches, err = fetchmetrics.New(registry)
	return m, err
}

// counted are the metrics of an operation, looked up once.
type counted struct {
	ok       prometheus.Counter
	duration prometheus.Observer
	other    *prometheus.CounterVec
}

func (m *metrics) of(operation string) counted {
	return counted{
		ok: m.requests.WithLabelValues(operation, "200"), duration: m.duration.WithLabelValues(operation),
		other: m.requests.MustCurryWith(prometheus.Labels{"operation": operation}),
	}
}

// done counts a request.
func (c counted) done(status int, took time.Duration) {
	if status == http.StatusOK {
		c.ok.Inc()
	} else {
		c.other.WithLabelValues(strconv.Itoa(status)).Inc()
	}
	c.duration.Observe(took.Seconds())
}

// admin returns the handler of the second listener. Its requests are checked like those
// of the first one, because a website could read profiles too.
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
		text(status, state+"\nstore: "+s.store.String())(w, r)
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setHeaders(w.Header())
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
