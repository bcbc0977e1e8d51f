package valkey

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ParseURL returns the Config that a URL describes:
//
//	valkey://user:password@host:6379,host2:6379/0?sentinel=mymaster&prefix=bot:
//
// The scheme is valkey or redis, or valkeys or rediss for TLS. Ports are optional.
// The path is the number of the database. The parameters are
//
//	password_file                         file whose first line is the password
//	password_env                          environment variable that contains it
//	sentinel                              name of the master; the hosts are sentinels
//	sentinel_user, sentinel_password      credentials for the sentinels
//	sentinel_password_file                file whose first line is their password
//	sentinel_password_env                 environment variable that contains it
//	prefix                                prefix of all keys
//	timeout                               timeout of each call, such as 50ms
//	tls_ca                                file with the trusted authorities
//	tls_cert, tls_key                     files with a client certificate and its key
//	tls_name                              name in the server's certificate
//
// Other users can read the arguments of a process, so a password should be in a file
// or in the environment. The line in the file can be up to 4 KB long. In a password in
// the URL, write the characters / ? # @ % as %2F, %3F, %23, %40 and %25.
//
// Errors repeat no part of the URL, because any part can be a part of a password that
// is not written in this way.
func ParseURL(text string) (Config, error) {
	scheme, rest, found := strings.Cut(text, "://")
	if !found {
		return Config{}, errors.New(`valkey: a URL has the form "valkey://host:6379"`)
	}
	cfg := Config{}
	switch strings.ToLower(scheme) {
	case "valkey", "redis":
	case "valkeys", "rediss":
		cfg.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	default:
		return Config{}, errors.New("valkey: the URL's scheme must be valkey, redis, valkeys or rediss")
	}
	// net/url parses only the part after the hosts, because it accepts one host
	// only.
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if strings.ContainsAny(rest[end:], "#@") {
		return Config{}, errors.New("valkey: the URL has a fragment, or an @ after its hosts: write / ? # @ in a password as %2F %3F %23 %40")
	}
	afterHosts, err := url.Parse(rest[end:])
	if err != nil {
		return Config{}, errors.New("valkey: the URL is not valid after its hosts")
	}
	query, err := url.ParseQuery(afterHosts.RawQuery)
	if err != nil {
		return Config{}, errors.New("valkey: the URL's parameters are not valid")
	}
	if err := cfg.readAuthority(rest[:end], query.Has("sentinel")); err != nil {
		return Config{}, err
	}
	if number := strings.TrimPrefix(afterHosts.Path, "/"); number != "" {
		cfg.Database, err = strconv.Atoi(number)
		if err != nil || cfg.Database < 0 {
			return Config{}, errors.New("valkey: the URL's path must be a database number")
		}
	}
	if err := cfg.readParameters(query); err != nil {
		return Config{}, err
	}
	if err := cfg.readPasswords(query); err != nil {
		return Config{}, err
	}
	_, err = cfg.withDefaults() // reports invalid values here rather than in Open
	return cfg, err
}

func (c *Config) readAuthority(authority string, sentinels bool) error {
	hosts := authority
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		hosts = authority[at+1:]
		user, password, _ := strings.Cut(authority[:at], ":")
		var err1, err2 error
		c.Username, err1 = url.PathUnescape(user)
		c.Password, err2 = url.PathUnescape(password)
		if err1 != nil || err2 != nil {
			return errors.New("valkey: the user or the password in the URL is not valid: write % as %25")
		}
	}
	port := "6379"
	if sentinels {
		port = "26379"
	}
	for host := range strings.SplitSeq(hosts, ",") {
		if _, _, err := net.SplitHostPort(host); err != nil && host != "" {
			host = net.JoinHostPort(strings.Trim(host, "[]"), port)
		}
		if host == "" {
			return errors.New(`valkey: the URL has no host: it has the form "valkey://host:6379"`)
		}
		c.Addresses = append(c.Addresses, host)
	}
	return nil
}

var parameters = []string{
	"password_file", "password_env", "sentinel", "sentinel_user", "sentinel_password", "sentinel_password_file", "sentinel_password_env",
	"prefix", "timeout", "tls_ca", "tls_cert", "tls_key", "tls_name",
}

func (c *Config) readParameters(query url.Values) error {
	for _, name := range slices.Sorted(maps.Keys(query)) {
		value := query.Get(name)
		if !slices.Contains(parameters, name) {
			return fmt.Errorf("valkey: the URL has an unknown parameter: the parameters are %s", strings.Join(parameters, ", "))
		}
		if len(query[name]) > 1 || value == "" {
			return fmt.Errorf("valkey: parameter %q of the URL needs exactly one value", name)
		}
		switch name {
		case "sentinel":
			c.Sentinel = value
		case "sentinel_user":
			c.SentinelUsername = value
		case "sentinel_password":
			c.SentinelPassword = value
		case "prefix":
			c.Prefix = value
		case "timeout":
			timeout, err := time.ParseDuration(value)
			if err != nil || timeout <= 0 {
				return errors.New("valkey: the URL's timeout must be a duration such as 50ms")
			}
			c.Timeout = timeout
		case "tls_ca", "tls_cert", "tls_key", "tls_name":
			if c.TLS == nil {
				return fmt.Errorf("valkey: parameter %q needs a URL that begins with valkeys:// or rediss://", name)
			}
		}
	}
	if c.TLS == nil {
		return nil
	}
	return c.readTLS(query)
}

func (c *Config) readPasswords(query url.Values) error {
	for prefix, password := range map[string]*string{"": &c.Password, "sentinel_": &c.SentinelPassword} {
		file, variable := prefix+"password_file", prefix+"password_env"
		sources := 0
		for _, given := range []bool{*password != "", query.Has(file), query.Has(variable)} {
			if given {
				sources++
			}
		}
		if sources > 1 {
			return fmt.Errorf("valkey: the URL has more than one of a %spassword, %s and %s", prefix, file, variable)
		}
		switch {
		case query.Has(file):
			text, err := readFile(query.Get(file), maxPassword)
			if err != nil {
				return fmt.Errorf("valkey: %s: %w", file, withoutPath(err))
			}
			line, _, found := bytes.Cut(text, []byte("\n"))
			if !found && len(text) > maxPassword {
				return fmt.Errorf("valkey: %s: the first line is over %d bytes long", file, maxPassword)
			}
			*password = strings.TrimSuffix(string(line), "\r")
			if *password == "" {
				return fmt.Errorf("valkey: %s: the first line of the file is empty", file)
			}
		case query.Has(variable):
			*password = os.Getenv(query.Get(variable))
			if *password == "" {
				return fmt.Errorf("valkey: %s: this environment variable is unset or empty", variable)
			}
		}
	}
	return nil
}

// The limits in bytes of the line with a password, and of a file with certificates or a key. A file
// can be a device or a pipe that never ends.
const (
	maxPassword = 4 << 10
	maxPEM      = 1 << 20
)

// readFile returns the beginning of a file, up to a byte more than the limit.
func readFile(name string, limit int64) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, limit+1))
}

// readPEM returns a file with certificates or a key.
func readPEM(name string) ([]byte, error) {
	text, err := readFile(name, maxPEM)
	if err == nil && len(text) > maxPEM {
		err = fmt.Errorf("the file is over %d bytes long", maxPEM)
	}
	return text, withoutPath(err)
}

// withoutPath returns the cause of an error about a file.
func withoutPath(err error) error {
	var wrong *os.PathError
	if errors.As(err, &wrong) {
		return wrong.Err
	}
	return err
}

func (c *Config) readTLS(query url.Values) error {
	c.TLS.ServerName = query.Get("tls_name")
	if name := query.Get("tls_ca"); name != "" {
		pem, err := readPEM(name)
		if err != nil {
			return fmt.Errorf("valkey: tls_ca: %w", err)
		}
		c.TLS.RootCAs = x509.NewCertPool()
		if !c.TLS.RootCAs.AppendCertsFromPEM(pem) {
			return errors.New("valkey: tls_ca: the file contains no certificate")
		}
	}
	certificate, key := query.Get("tls_cert"), query.Get("tls_key")
	if certificate == "" && key == "" {
		return nil
	}
	if certificate == "" || key == "" {
		return errors.New("valkey: tls_cert and tls_key must be set together")
	}
	certificatePEM, err := readPEM(certificate)
	if err != nil {
		return fmt.Errorf("valkey: tls_cert: %w", err)
	}
	keyPEM, err := readPEM(key)
	if err != nil {
		return fmt.Errorf("valkey: tls_key: %w", err)
	}
	pair, err := tls.X509KeyPair(certificatePEM, keyPEM)
	if err != nil {
		return fmt.Errorf("valkey: tls_cert: %w", err)
	}
	c.TLS.Certificates = []tls.Certificate{pair}
	return nil
}
