package serve

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"log"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/download"
	"github.com/kosterhq/robotstxt/cmd/internal/page"
	"github.com/kosterhq/robotstxt/fetch"
	"github.com/kosterhq/robotstxt/origin"
)

// Server is the service. Make one with [New], and call Serve once.
type Server struct {
	config  Config
	names   map[string]bool // hosts that are answered for
	formKey []byte
	metrics *metrics

	fetcher   *fetch.Client
	downloads *download.Client
	sites     *sites
	page      *page.Page

	clients *table[netip.Addr]
	origins *table[origin.Origin]
	budget  bodyBudget
	unread  atomic.Int64 // bytes that large answers may still take
	work    slots        // requests that may compute for long
	all     slots        // requests
	streams slots

	routes     map[string][]*endpoint
	pageRoutes []*endpoint // for all other paths
	refused    *endpoint   // for requests without one
	openAPI    []byte

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
	s := &Server{
		config: config, names: config.names(),
		work: make(slots, config.MaxWork), all: make(slots, config.MaxRequests), streams: make(slots, config.MaxStreams),
	}
	s.budget.left.Store(64 * config.MaxRequestBytes)
	s.unread.Store(unreadBytes)
	s.clients = newTable[netip.Addr](func() *usage {
		return &usage{requests: limiter(config.ClientRate, 10), fetches: limiter(config.ClientFetchRate, 10)}
	})
	s.origins = newTable[origin.Origin](func() *usage {
		if config.OriginInterval <= 0 {
			return &usage{}
		}
		return &usage{requests: limiter(1/config.OriginInterval.Seconds(), int(3*config.OriginInterval.Seconds()))}
	})
	key := sha256.Sum256([]byte("form " + config.FormKey))
	if s.formKey = key[:]; config.FormKey == "" {
		s.formKey = []byte(rand.Text())
	}
	if s.metrics, err = newMetrics(); err != nil {
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
	return s, s.addRoutes()
}

// openSites makes the clients that fetch from sites.
func (s *Server) openSites() (err error) {
	c := s.config
	s.fetcher, err = fetch.New(fetch.Config{
		UserAgent: c.UserAgent, Agents: []string{"robots"}, Policy: c.Policy, KeepBodies: true,
		Store: c.Store, StoreTimeout: c.StoreTimeout, Timeout: c.FetchTimeout,
		MaxMemory: c.MaxMemory, MaxFetches: c.MaxFetches, MaxFetchRate: c.MaxFetchRate, MaxFetchesPerAddress: max(c.MaxFetchesPerAddress, 0),
		Guard: c.Guard, Resolver: c.resolver(), Dial: c.Dial, Proxy: c.Proxy, Logger: c.Logger,
		Observe: s.metrics.fetches.Observe, OnChange: s.metrics.fetches.OnChange,
	})
	if mistake, ok := errors.AsType[*fetch.ConfigError](err); ok {
		return &ConfigError{mistake.Field, mistake.Problem}
	}
	if err != nil {
		return err
	}
	s.downloads = download.New(download.Config{UserAgent: c.UserAgent, Timeout: c.FetchTimeout, Proxy: c.Proxy, Guard: c.Guard, Resolver: c.resolver(), Dial: c.Dial})
	s.sites, err = newSites(s.fetcher)
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
	if l.Service, err = config.Listen(ctx, "tcp", s.config.Listen); err != nil || s.config.Admin == NoAdmin {
		return l, err
	}
	if l.Admin, err = config.Listen(ctx, "tcp", s.config.Admin); err != nil {
		if s.config.Admin != DefaultAdmin {
			_ = l.Service.Close()
			return Listeners{}, err
		}
		s.config.Logger.Warn("no metrics: their port is occupied", "address", s.config.Admin)
		l.Admin = nil
	}
	return l, nil
}

// URL returns the address of a listener for a browser on this machine.
func URL(l net.Listener) string { return address(l.Addr()) + "/" }

// heapFloor is memory that is never used, and so takes no space. The garbage collector runs
// when the heap has doubled; without it that would be 30 times in a second, because a
// request leaves 10 KB. It costs at most as much space in garbage, and saves a sixth of the
// processor time of a request.
const heapFloor = 64 << 20

// Serve answers requests until ctx ends, and then those under way; it returns when they are
// answered, or after DrainTimeout. It closes the listeners. The error is nil after an end
// by ctx.
func (s *Server) Serve(ctx context.Context, l Listeners) error {
	floor := make([]byte, heapFloor)
	defer runtime.KeepAlive(floor)
	defer s.fetcher.Close()
	defer s.stop()
	failed := make(chan error, 2)
	service := s.server(s)
	service.ReadTimeout = s.config.HeaderTimeout + s.config.BodyTimeout
	service.WriteTimeout = service.ReadTimeout + s.config.FetchTimeout + s.config.WriteTimeout
	service.ConnContext, service.ConnState = withConn, connState
	go func() {
		failed <- service.Serve(newConns(l.Service, &s.config, s.isProxy, s.metrics.evicted.Inc))
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
	s.draining.Store(true)
	if err == nil && s.config.DrainDelay > 0 {
		time.Sleep(s.config.DrainDelay)
	}
	return errors.Join(err, s.drain(service), admin.Close())
}

// drain waits for the requests under way. Streams, which may be endless, and what is left
// after the time are cut off.
func (s *Server) drain(service *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.config.DrainTimeout)
	defer cancel()
	cut := time.AfterFunc(s.config.DrainTimeout*3/4, s.stop) // so that streams can say why they end
	defer cut.Stop()
	if err := service.Shutdown(ctx); errors.Is(err, context.DeadlineExceeded) {
		s.config.Logger.Warn("some requests were cut off at the end")
		return service.Close()
	} else if err != nil {
		return err
	}
	return nil
}

// server returns a server with the common limits.
func (s *Server) server(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: s.config.HeaderTimeout, IdleTimeout: s.config.IdleTimeout, MaxHeaderBytes: s.config.MaxHeaderBytes,
		ErrorLog: log.New(quiet{}, "", 0),
	}
}

// quiet drops the messages of net/http about connections, which clients cause at will.
type quiet struct{}

func (quiet) Write(p []byte) (int, error) { return len(p), nil }
