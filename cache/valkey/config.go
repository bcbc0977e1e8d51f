package valkey

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	valkeygo "github.com/valkey-io/valkey-go"

	"github.com/kosterhq/robotstxt/internal/seldom"
)

// Config configures a [Store]. Only Addresses is required; the zero value of every
// other field selects its default.
type Config struct {
	// Addresses have the form host:port. They are one server, some nodes of a
	// Cluster, or the sentinels if Sentinel is set. Open detects a Cluster.
	Addresses []string

	// Username and Password are the credentials of an ACL user. If Username is
	// empty, Password belongs to the default user. The user needs the permissions
	//
	//	~robotstxt:* +get +set +del +getrange +pexpire +pttl +scan +eval +evalsha +ping +cluster|slots
	//
	// with Prefix instead of robotstxt:, and also +cluster|shards for a Cluster
	// from version 8.
	Username, Password string

	// TLS enables TLS; nil disables it. If its ServerName is empty, the
	// certificate must be for the host in the address, or for the host that a
	// Cluster or sentinel returns.
	TLS *tls.Config

	// Database is the number of a database. A Cluster has only 0.
	Database int

	// Sentinel is the name of the master that the sentinels monitor. If empty,
	// no sentinels are used.
	Sentinel string
	// SentinelUsername and SentinelPassword are the credentials for the
	// sentinels themselves.
	SentinelUsername, SentinelPassword string

	// Prefix is the prefix of all keys. Stores with different prefixes do not
	// share entries. Default "robotstxt:".
	Prefix string

	// Timeout bounds each call. Default 50 ms; minimum 1 ms.
	Timeout time.Duration

	// Logger receives one line when the server becomes unavailable and one when
	// it is available again, each at most once a minute; nil discards them.
	Logger *slog.Logger
	// Observe receives an Event after every call. It is called synchronously and
	// possibly concurrently, so it should return quickly. nil means no observer.
	Observe func(Event)
}

const (
	defaultPrefix  = "robotstxt:"
	defaultTimeout = 50 * time.Millisecond
	maxPrefix      = 256
)

func (c *Config) check() error {
	if len(c.Addresses) == 0 {
		return errors.New(`valkey: no address: add one or more of the form "host:6379"`)
	}
	for i, address := range c.Addresses {
		if !isAddress(address) {
			// It is not repeated: it could contain a password.
			return fmt.Errorf(`valkey: address %d is not of the form host:port, such as "localhost:6379"`, i+1)
		}
	}
	switch {
	case c.Username != "" && c.Password == "", c.SentinelUsername != "" && c.SentinelPassword == "":
		return errors.New("valkey: a user name needs a password")
	case c.Sentinel == "" && c.SentinelPassword != "":
		return errors.New("valkey: a password for the sentinels needs the name of the master they monitor")
	case c.Database < 0:
		return fmt.Errorf("valkey: database %d is negative", c.Database)
	case strings.ContainsAny(c.Prefix, "{}"):
		return errors.New("valkey: the prefix contains a brace, which would put all keys on one node of a Cluster")
	case len(c.Prefix) > maxPrefix:
		return fmt.Errorf("valkey: the prefix has %d bytes, over the limit of %d", len(c.Prefix), maxPrefix)
	case c.Timeout != 0 && c.Timeout < time.Millisecond:
		return fmt.Errorf("valkey: the timeout %v is too short: use 0 for the default of %v", c.Timeout, defaultTimeout)
	}
	return nil
}

// withDefaults checks c and sets the defaults of fields that are zero.
func (c Config) withDefaults() (Config, error) {
	if err := c.check(); err != nil {
		return c, err
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
	c.Logger = seldom.Logger(c.Logger)
	if c.Observe == nil {
		c.Observe = func(Event) {}
	}
	return c, nil
}

// isAddress reports whether an address has a host, without characters that no host
// has, and the number of a port.
func isAddress(address string) bool {
	host, port, err := net.SplitHostPort(address)
	if err != nil || host == "" || strings.ContainsAny(host, "@/?#!$&'()*+,;=\"\\ \t\r\n") {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

// options returns the options of valkey-go. They keep it from waiting for a server
// that does not answer.
func (c Config) options() valkeygo.ClientOption {
	// valkey-go pings a connection without traffic for keepAlive, and closes it if
	// the ping is not answered.
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
		ClientName:  "robotstxt",

		ConnWriteTimeout: timeout,
		// The caller has no time for a retry.
		DisableRetry: true,
		// The fetch client has its own memory, and client-side caching needs
		// memory on the server for each client.
		DisableCache: true,
		// Without this, the deadline of a single command applies to the
		// connection, which is then closed when a command is late.
		AlwaysPipelining: true,
		// The default is half a MiB for each connection of each node.
		ReadBufferEachConn:  64 << 10,
		WriteBufferEachConn: 64 << 10,

		// Both refresh the topology periodically, because notifications can be
		// lost.
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

// refusal is an error that persists until a configuration is changed.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

func isRefusal(err error) bool { return errors.As(err, new(refusal)) }

// explain wraps err in a refusal if the server refuses the configuration. The
// message then also contains the remedy for the operator.
func (c Config) explain(err error) error {
	if err == nil {
		return nil
	}
	_, answered := valkeygo.IsValkeyErr(err)
	var certificate *tls.CertificateVerificationError
	switch {
	case answered && startsWith(err, "No such master") || valkeygo.IsValkeyNil(err):
		return refusal{fmt.Errorf("the sentinels monitor no master named %q", c.Sentinel)}
	case strings.Contains(err.Error(), "cluster support disabled"):
		return refusal{errors.New("the addresses are not a Cluster: use only the primary, or the sentinels and the name of their master")}
	case errors.As(err, new(tls.RecordHeaderError)):
		return refusal{fmt.Errorf("the server does not support TLS at this port: %w", err)}
	case errors.As(err, &certificate), errors.Is(err, errNotValkey):
		return refusal{err}
	case answered && isMisconfigured(err):
		return refusal{err}
	}
	return err
}

// isMisconfigured reports whether an error of the server is about credentials,
// permissions or the database, and not about its state. valkey-go removes the code
// ERR.
func isMisconfigured(err error) bool {
	return startsWith(err, "WRONGPASS ", "NOAUTH ", "NOPERM ", "DB index", "SELECT is not allowed")
}
