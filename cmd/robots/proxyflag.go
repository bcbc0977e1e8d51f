package main

import (
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
)

// proxyFlag is the value of --proxy: a URL, proxyNone or proxyEnv.
type proxyFlag string

const (
	proxyEnv  proxyFlag = "env"
	proxyNone proxyFlag = "none"
)

func (p proxyFlag) String() string { return string(p) }

func (proxyFlag) Type() string { return "proxy" }

// Set accepts any text. What is wrong with a URL is reported by choose, because the
// errors of flags repeat their values, and this one may contain a password.
func (p *proxyFlag) Set(text string) error {
	if text == "" {
		return errors.New("want " + proxyChoices)
	}
	*p = proxyFlag(text)
	return nil
}

const proxyChoices = "the URL of a proxy, none or env"

var proxySchemes = []string{"http", "https", "socks5", "socks5h"}

// choose returns the function that chooses the proxy of a request, nil for none.
func (p proxyFlag) choose() (func(*http.Request) (*url.URL, error), error) {
	switch p {
	case proxyNone:
		return nil, nil
	case proxyEnv:
		return http.ProxyFromEnvironment, nil
	}
	proxy, err := url.Parse(string(p))
	if err != nil || !slices.Contains(proxySchemes, proxy.Scheme) || proxy.Hostname() == "" {
		return nil, term.Errorf("want none, env, or a URL such as http://proxy.example:3128 or socks5://proxy.example:1080",
			"--proxy is not the URL of a proxy")
	}
	return http.ProxyURL(proxy), nil
}
