package serve

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/page"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// Server is the service. Make one with [New], and call Serve once.
type Server struct {
	config  Config
	names   map[string]bool // hosts for which the service answers
	formKey []byte
	metrics *metrics

	crawler answer.Crawler // the crawler whose rules the service obeys
	fetcher *fetch.Client
	read    readFiles
	page    *page.Page

	requests *rates[netip.Addr]    // of clients
	fetches  *rates[netip.Addr]    // requests to sites that clients cause
	contacts *rates[origin.Origin] // requests to sites that are made only because clients want them now
	// bytes of memory for requests, from the arrival of their bodies to the end of their answers
	memory   *budget
	underway *budget // requests
	streams  *streams
	work     *budget // requests that can compute for long
	all      *budget // other requests
	late     *Problem

	routes     map[string][]*endpoint
	pageRoutes []*endpoint // for all other paths

	draining atomic.Bool
	stopped  context.Context // ends when streams must end
	stop     context.CancelFunc
}

// New returns a service. The error is a *ConfigError if the configuration is invalid.
func New(config Config) (*Server, error) {
	config, err := config.Filled()
	if err != nil {
		return nil, err
	}
	config.Logger = slog.New(identified{config.Logger.Handler()})
	s := &Server{
		config: config, names: config.names(),
		work: newTurns(config.MaxWork), all: newTurns(config.MaxRequests),
		memory: newBudget(config.RequestMemory, 0, config.isPublic(), noMemory),
		// A request can end a moment after its connection was closed for another one.
		underway: newBudget(int64(config.MaxConns+config.MaxConns/8+1), int64(config.ClientConns), config.isPublic(),
			noRequest),
		streams: newStreams(&config),
		late:    problem(http.StatusGatewayTimeout, "answer-timeout", "the answer was not ready within "+config.AnswerTimeout.String(), ""),
	}
	s.underway.lends = true // conns.go closes connections if there are too many
	s.requests = newRates[netip.Addr](config.ClientRate, 10*config.ClientRate)
	s.fetches = newRates[netip.Addr](config.ClientFetchRate, 10*config.ClientFetchRate)
	s.contacts = newRates[origin.Origin](1/config.OriginInterval.Seconds(), 3)
	key := sha256.Sum256([]byte("form " + config.FormKey))
	s.formKey = key[:]
	if config.FormKey == "" {
		s.formKey = []byte(rand.Text())
	}
	s.metrics, err = s.newMetrics()
	if err != nil {
		return nil, err
	}
	if err := s.openSites(); err != nil {
		return nil, err
	}
	s.page, err = page.New(page.Config{Version: config.Version, Token: func(r *http.Request) string {
		return s.formToken(s.client(r), time.Now())
	}})
	if err != nil {
		return nil, err
	}
	s.stopped, s.stop = context.WithCancel(context.Background())
	s.addRoutes()
	return s, nil
}

func (s *Server) openSites() (err error) {
	c := s.config
	s.crawler = answer.SentBy(c.UserAgent)
	var notFound func(status int, head []byte) bool
	if c.NotFoundPages {
		notFound = fetch.LooksNotFound
	}
	s.fetcher, err = fetch.New(fetch.Config{
		UserAgent: c.UserAgent, Agents: append([]string{"robots"}, s.crawler.Tokens...), Policy: c.Policy,
		NotFoundPage: notFound, KeepBodies: true,
		Store: c.Store, Logger: c.Logger,
		Network: fetch.Network{
			Guard: c.Guard, Resolver: c.Resolver, Dial: c.Dial, Proxy: c.Proxy, Request: s.outgoing,
			HideAddresses: true,
		},
		Limits: fetch.Limits{
			StoreTimeout: c.StoreTimeout, Timeout: c.FetchTimeout, MaxMemory: c.MaxMemory,
			MaxFetches: c.MaxFetches, MaxFetchesPerAddress: max(c.MaxFetchesPerAddress, 0),
		},
		Observe: s.metrics.fetches.Observe, OnFetch: s.metrics.fetches.OnFetch, OnChange: s.metrics.fetches.OnChange,
	})
	if mistake, ok := errors.AsType[*fetch.ConfigError](err); ok {
		return &ConfigError{mistake.Field[strings.LastIndexByte(mistake.Field, '.')+1:], mistake.Problem}
	}
	s.read = newReadFiles()
	return err
}

// Listeners are the open listeners of a service.
type Listeners struct {
	Service net.Listener
	Admin   net.Listener // nil for none
}

// Listen opens the listeners, so that the caller knows their addresses before Serve.
func (s *Server) Listen(ctx context.Context) (l Listeners, err error) {
	var config net.ListenConfig
	l.Service, err = config.Listen(ctx, "tcp", s.config.Listen)
	if err != nil || s.config.Admin == NoAdmin {
		return l, err
	}
	l.Admin, err = config.Listen(ctx, "tcp", s.config.Admin)
	if err != nil {
		if s.config.Admin != DefaultAdmin {
			_ = l.Service.Close()
			return Listeners{}, err
		}
		s.config.Logger.Warn("no metrics: their port is in use", "address", s.config.Admin)
	}
	return l, nil
}

// URL returns the address of a listener for a browser on this machine.
func URL(l net.Listener) string {
	at, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return l.Addr().String() + "/"
	}
	host := at.IP.String()
	if at.IP.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(at.Port)) + "/"
}

// heapFloor is memory that is allocated and never touched, so it takes no space. The garbage
// collector runs when the heap has doubled: with a small heap it would run for every few requests.
const heapFloor = 64 << 20

// Serve answers requests until ctx ends, and then finishes those under way. It returns
// when they are answered, or after DrainTimeout. It closes the listeners. The error is
// nil after an end by ctx.
func (s *Server) Serve(ctx context.Context, l Listeners) error {
	floor := make([]byte, heapFloor)
	defer runtime.KeepAlive(floor)
	defer s.fetcher.Close()
	defer s.stop()
	failed := make(chan error, 2)
	service := s.server(s)
	service.ReadTimeout = s.config.HeaderTimeout + s.config.BodyTimeout
	service.WriteTimeout = service.ReadTimeout + max(s.config.FetchTimeout+slotWait, s.config.AnswerTimeout) +
		turnWait + s.config.WriteTimeout
	service.ConnState = connState
	service.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, c)
	}
	accepting := newConns(l.Service, &s.config, s.isProxy, s.metrics.evicted.Inc)
	accepted := make(chan struct{})
	go func() {
		defer close(accepted)
		failed <- service.Serve(accepting)
	}()
	admin := s.server(s.admin())
	if l.Admin != nil {
		go func() { failed <- admin.Serve(l.Admin) }()
	}
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	// During the delay each answer ends its connection, and idle connections stay open: a
	// proxy might be sending a request on one of them, and does not repeat a POST. If the
	// idle timeout of the proxy is shorter than the delay, the proxy closes them itself.
	s.draining.Store(true)
	if err == nil && s.config.DrainDelay > 0 {
		time.Sleep(s.config.DrainDelay)
	}
	accepting.finish()
	<-accepted
	accepting.awaitRequests(min(s.config.HeaderTimeout, s.config.DrainTimeout))
	return errors.Join(err, s.drain(service), admin.Close())
}

// drain waits for the requests under way. It cuts off streams, which can be endless, and
// requests that are not answered in time.
func (s *Server) drain(service *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.config.DrainTimeout)
	defer cancel()
	defer time.AfterFunc(s.config.DrainTimeout*3/4, s.stop).Stop() // so that streams can say why they end
	err := service.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		s.config.Logger.Warn("some requests were cut off when the service stopped")
		return service.Close()
	}
	return err
}

func (s *Server) server(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: s.config.HeaderTimeout, IdleTimeout: s.config.IdleTimeout,
		MaxHeaderBytes: s.config.MaxHeaderBytes,
		ErrorLog:       log.New(io.Discard, "", 0), // clients could cause any number of messages about connections
	}
}
