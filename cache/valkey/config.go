package valkey

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"time"

	valkeygo "github.com/valkey-io/valkey-go"
)

// Config says where the server is and how to speak to it. Only Addresses is
// required.
type Config struct {
	// Addresses are of the form host:port: one server, some nodes of a Cluster,
	// or, with Sentinel, the sentinels. A Cluster is recognised.
	Addresses []string

	// Username and Password are those of an ACL user. A password without a name
	// is that of the default user. What the user must be allowed is
	//
	//	~robotstxt:* +get +set +del +getrange +pexpire +eval +evalsha +ping +cluster|slots
	//
	// with the Prefix for robotstxt:, and +cluster|shards where there is a
	// Cluster from version 8.
	Username, Password string

	// TLS is nil for none. Where it names no ServerName, the certificate must be
	// for the host in the address, or in what a Cluster or sentinel answers.
	TLS *tls.Config

	// Database is the number of a database. A Cluster has only 0.
	Database int

	// Sentinel is the name of the master that the sentinels watch. Empty means
	// that there are none.
	Sentinel string
	// SentinelUsername and SentinelPassword are for the sentinels themselves.
	SentinelUsername, SentinelPassword string

	// Prefix begins all keys. Stores with different ones do not see each
	// other's entries. Default "robotstxt:".
	Prefix string

	// Timeout bounds each call. Default 50 ms; minimum 1 ms.
	Timeout time.Duration

	// Logger gets one line when the server gets into trouble and one when it is
	// back; nil is silent.
	Logger *slog.Logger
	// Observe is called after every call, possibly concurrently: count and
	// return. nil observes nothing.
	Observe func(Event)
}

const (
	defaultPrefix  = "robotstxt:"
	defaultTimeout = 50 * time.Millisecond
	maxPrefix      = 256
)

func (c Config) withDefaults() (Config, error) {
	if len(c.Addresses) == 0 {
		return c, errors.New(`valkey: no address: give one or more of the form "host:6379"`)
	}
	for _, address := range c.Addresses {
		if host, port, err := net.SplitHostPort(address); err != nil || host == "" || port == "" {
			return c, fmt.Errorf("valkey: address %q is not of the form host:port, such as %q", address, "localhost:6379")
		}
	}
	switch {
	case c.Username != "" && c.Password == "", c.SentinelUsername != "" && c.SentinelPassword == "":
		return c, errors.New("valkey: a user without a password")
	case c.Sentinel == "" && c.SentinelPassword != "":
		return c, errors.New("valkey: a password for sentinels without the name of the master that they watch")
	case c.Database < 0:
		return c, fmt.Errorf("valkey: database %d is below 0", c.Database)
	case strings.ContainsAny(c.Prefix, "{}"):
		return c, fmt.Errorf("valkey: prefix %q has a brace, which would place all keys on one node of a Cluster", c.Prefix)
	case len(c.Prefix) > maxPrefix:
		return c, fmt.Errorf("valkey: the prefix has %d bytes, more than %d", len(c.Prefix), maxPrefix)
	case c.Timeout != 0 && c.Timeout < time.Millisecond:
		return c, fmt.Errorf("valkey: no server answers within %v: leave the timeout out for %v", c.Timeout, defaultTimeout)
	}
	c.Addresses = slices.Clone(c.Addresses)
	if c.Prefix == "" {
		c.Prefix = defaultPrefix
	}
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Observe == nil {
		c.Observe = func(Event) {}
	}
	return c, nil
}

// options are what keeps valkey-go from waiting for a server in trouble.
func (c Config) options() valkeygo.ClientOption {
	// A connection whose server has been silent for keepAlive is pinged, and
	// given up if that gets no answer either.
	const keepAlive = time.Second
	timeout := max(connectTimeout, 4*c.Timeout)
	dialer := net.Dialer{Timeout: timeout, KeepAlive: keepAlive}
	return valkeygo.ClientOption{
		InitAddress: c.Addresses,
		Username:    c.Username,
		Password:    c.Password,
		TLSConfig:   c.TLS.Clone(),
		SelectDB:    c.Database,
		Dialer:      dialer,
		DialCtxFn:   dial,
		ClientName:  "robotstxt",

		ConnWriteTimeout: timeout,
		// The caller has no time for a second try, and goes on without.
		DisableRetry: true,
		// There is a cache in front of this store, and the server would have to
		// remember what each client has seen.
		DisableCache: true,
		// Otherwise the deadline of a lone command is that of the connection,
		// which is lost when a command is late.
		AlwaysPipelining: true,
		// Half a MiB each, by default, for some nodes with some connections.
		ReadBufferEachConn:  64 << 10,
		WriteBufferEachConn: 64 << 10,

		// Both look again by themselves, as what a server tells may get lost.
		ClusterOption: valkeygo.ClusterOption{ShardsRefreshInterval: 5 * time.Second, MaxMovedRedirections: 3},
		Sentinel: valkeygo.SentinelOption{
			MasterSet:               c.Sentinel,
			Username:                c.SentinelUsername,
			Password:                c.SentinelPassword,
			TLSConfig:               c.TLS.Clone(),
			Dialer:                  dialer,
			TopologyRefreshInterval: 5 * time.Second,
		},
	}
}

// refusal is an error that will stay until somebody changes a configuration.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

func isRefusal(err error) bool { return errors.As(err, new(refusal)) }

// explain tells a server that refuses from one that is away, and puts what to
// do into the message.
func (c Config) explain(err error) error {
	if err == nil {
		return nil
	}
	_, answered := valkeygo.IsValkeyErr(err)
	var certificate *tls.CertificateVerificationError
	switch {
	case answered && startsWith(err, "No such master") || valkeygo.IsValkeyNil(err):
		return refusal{fmt.Errorf("the sentinels know no master %q", c.Sentinel)}
	case strings.Contains(err.Error(), "cluster support disabled"):
		return refusal{errors.New("several addresses, but of servers that are no Cluster: give the one that is written to, or the sentinels and the name of their master")}
	case errors.As(err, new(tls.RecordHeaderError)):
		return refusal{fmt.Errorf("the server does not speak TLS at this port: %w", err)}
	case errors.As(err, &certificate), errors.Is(err, errNotValkey):
		return refusal{err}
	case answered && isMisconfigured(err):
		return refusal{err}
	}
	return err
}

// isMisconfigured reports whether an error of the server is about who asks or
// for what, and not about its state. The code ERR is cut off by valkey-go.
func isMisconfigured(err error) bool {
	return startsWith(err, "WRONGPASS ", "NOAUTH ", "NOPERM ", "DB index", "SELECT is not allowed")
}
