package serve

import (
	"cmp"
	"runtime"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
)

// Bounds are the limits of a service that no operator needs to change: with these values, honest
// clients notice none of them, and a hostile client costs little. 0 means the default.
type Bounds struct {
	// MaxRequests is the limit of short requests that are computed at the same time, apart from
	// requests that wait for sites. Further ones wait for up to 5 s, with clients taking turns,
	// and are then refused.
	MaxRequests int
	// MaxWork is the limit of long requests that are computed at the same time. All requests are
	// long except checks with few or small crawlers, URLs and files. Clients take turns. A client
	// without a turn gets one at once as long as the turns are fewer than twice MaxWork. Default:
	// the number of processors, because more would only slow each other down.
	MaxWork int
	// MaxStreams is the limit of open streams. When another client opens one, the stream with the
	// fewest questions a second ends.
	MaxStreams int
	// ClientStreams is the limit of open streams of one client. Default: defaultClientStreams for
	// a public service, else no limit. Negative means no limit.
	ClientStreams int
	// StreamTimeout is the longest duration of a stream. Default: an hour for a public service,
	// else no limit.
	StreamTimeout time.Duration
	// MaxOrigins is the limit of sites for the URLs of a request that is not a stream.
	MaxOrigins int
	// MaxRequestBytes is the limit of a request's body, except for streams.
	MaxRequestBytes int64
	// MaxHeaderBytes is the limit of a request's line and headers.
	MaxHeaderBytes int
	// Limits bound the work of a request.
	Limits calls.Limits

	// HeaderTimeout bounds the time until a request's headers have arrived.
	HeaderTimeout time.Duration
	// BodyTimeout bounds the time until a request's body has arrived; in a stream, the wait for
	// its next line.
	BodyTimeout time.Duration
	// AnswerTimeout bounds the time from the arrival of a request until its answer is ready:
	// waiting, fetching, decompressing and computing; for check, computing alone. It does not
	// apply to streams. Default: twice FetchTimeout, so that one silent site does not use it up.
	AnswerTimeout time.Duration
	// WriteTimeout bounds the wait until a client reads more of a response, 64 KiB.
	WriteTimeout time.Duration
	// MinRate is the least rate of a transfer, in bytes a second: of a body after 5 s, and of a
	// response, except for streams, after WriteTimeout. A slower client is cut off.
	MinRate int64

	// MaxFetchesPerAddress is the limit of fetches that use one IP address at the same time.
	// Negative means no limit.
	MaxFetchesPerAddress int
}

// The defaults of Bounds.
const (
	defaultMaxRequests     = 256              // each takes microseconds; memory bounds them too
	defaultMaxStreams      = 64               // of 2 MB each
	defaultClientStreams   = 4                // one for each of a few programs behind one address
	defaultStreamTimeout   = time.Hour        // a client can continue with another stream
	defaultMaxOrigins      = 50               // a client of a public service may cause as many fetches in 15 s
	defaultMaxRequestBytes = 4 << 20          // a web page, or two files of 1 MiB with their escapes
	defaultMaxHeaderBytes  = 16 << 10         // twice the usual limit of reverse proxies
	defaultHeaderTimeout   = 5 * time.Second  // headers fit into a few packets
	defaultBodyTimeout     = 15 * time.Second // the largest body at 280 KB a second
	defaultWriteTimeout    = 30 * time.Second // a phone that changes networks returns within that time
	defaultMinRate         = 16 << 10         // slower clients would keep memory for minutes
	defaultPerAddress      = 4                // a server with many sites answers so many at once
)

func (b Bounds) filled(fetchTimeout time.Duration, public bool) Bounds {
	b.MaxRequests = cmp.Or(b.MaxRequests, defaultMaxRequests)
	b.MaxWork = cmp.Or(b.MaxWork, runtime.GOMAXPROCS(0))
	b.MaxStreams = cmp.Or(b.MaxStreams, defaultMaxStreams)
	b.MaxOrigins = cmp.Or(b.MaxOrigins, defaultMaxOrigins)
	if public {
		b.ClientStreams = cmp.Or(b.ClientStreams, defaultClientStreams)
		b.StreamTimeout = cmp.Or(b.StreamTimeout, defaultStreamTimeout)
	}
	b.MaxRequestBytes = cmp.Or(b.MaxRequestBytes, defaultMaxRequestBytes)
	b.MaxHeaderBytes = cmp.Or(b.MaxHeaderBytes, defaultMaxHeaderBytes)
	b.HeaderTimeout = cmp.Or(b.HeaderTimeout, defaultHeaderTimeout)
	b.BodyTimeout = cmp.Or(b.BodyTimeout, defaultBodyTimeout)
	b.AnswerTimeout = cmp.Or(b.AnswerTimeout, 2*fetchTimeout)
	b.WriteTimeout = cmp.Or(b.WriteTimeout, defaultWriteTimeout)
	b.MinRate = cmp.Or(b.MinRate, defaultMinRate)
	b.MaxFetchesPerAddress = cmp.Or(b.MaxFetchesPerAddress, defaultPerAddress)
	return b
}
