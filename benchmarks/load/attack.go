package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"time"
)

// attack is a way in which clients, and the sites that they name, use up the service.
type attack struct {
	name      string
	sends     string                // what one client does
	clients   int                   // at once
	addresses int                   // of these clients
	one       func(*attacker) error // what a client does with a connection
	proxied   bool                  // connections come through the trusted proxy, each for a client of another network
	slow      bool                  // clients do not read as fast as they can
	site      hostile               // what hostile sites answer; nil for none
	flags     []string              // of the service
	again     time.Duration         // a client waits at most so long before it connects again
	settle    time.Duration         // honest clients come so long after the attackers
	sample    bool                  // it is part of the sample
	paid      bool                  // sites get what --client-fetch-rate permits, and no more
}

// key names an attack in the results and in the arguments of a crowd.
func (k *attack) key() string { return fmt.Sprintf("%s, %d", k.name, k.clients) }

// at returns an attack with several numbers of clients at once.
func (k attack) at(clients ...int) (list []attack) {
	addresses := max(k.addresses, 1)
	for i, n := range clients {
		with := k
		with.clients, with.addresses, with.sample = n, min(addresses, n), k.sample && i == 0
		list = append(list, with)
	}
	return list
}

// few is the limit of connections in attacks that occupy connections with work.
var few = []string{"--max-connections", "300"}

// attacks are all attacks. The first number of clients in a row is the sample's.
var attacks = slices.Concat(
	attack{
		name: "large answers", sends: "`/v1/check`, 8 KB: 100 URLs × 1,000 crawlers, a rule of 430 stars",
		one: asking(large, readAll), again: time.Second, sample: true,
	}.at(100, 16, 1),
	attack{
		name: "large answers, each client of another network", sends: "the same",
		one: asking(large, readAll), proxied: true, again: time.Second,
	}.at(100),
	attack{
		name: "many answers", sends: "`/v1/check`, 620 KB: 9,000 URLs × 11 crawlers, 350 stars",
		one: asking(many, readAll), again: time.Second, sample: true,
	}.at(100, 16, 1),
	attack{
		name: "large answers, 1 KB/s", sends: "reads 1 KB a second",
		one: asking(large, readSlowly), slow: true,
	}.at(256, 32),
	attack{
		name: "large answers, not read", sends: "reads the status only",
		one: asking(large, readNothing), slow: true, sample: true,
	}.at(256, 32),
	attack{
		name: "stalled uploads", sends: "4 MB but for the last byte; less when refused",
		one: stalledUpload, again: time.Second, settle: 4 * time.Second, sample: true,
	}.at(70, 300),
	attack{
		name: "drips of live files", sends: "`/v1/fetch`; the site sends a byte every 5 s",
		addresses: 30, settle: 2 * time.Second, one: asking(naming("fetch"), readAll), site: drippingSite, flags: few,
	}.at(300),
	attack{
		name: "drips of sitemaps", sends: "`/v1/sitemap`, the same",
		addresses: 30, settle: 2 * time.Second, one: asking(naming("sitemap"), readAll), site: drippingSite, flags: few, sample: true,
	}.at(300),
	attack{
		name: "drips of pages", sends: "`/v1/resources`, the same",
		addresses: 30, settle: 2 * time.Second, one: asking(naming("resources"), readAll), site: drippingSite, flags: few,
	}.at(300),
	attack{
		name: "sitemap bombs of 1 MB", sends: "`/v1/sitemap`; 1 GB as gzip of 1 MB",
		addresses: 8, one: asking(naming("sitemap"), readAll), site: bomb(64), again: time.Second, sample: true,
	}.at(8, 1),
	attack{
		name: "sitemap bombs of 50 MB", sends: "`/v1/sitemap`; 50 GB as gzip of 50 MB",
		addresses: 8, one: asking(naming("sitemap"), readAll), site: bomb(50 * 64), again: time.Second,
	}.at(8, 1),
	attack{
		name: "sitemap bombs, gzip in gzip", sends: "`/v1/sitemap`; gzip of gzip",
		addresses: 8, one: asking(naming("sitemap"), readAll), site: nestedBomb, again: time.Second,
	}.at(8),
	attack{
		name: "robots.txt bombs", sends: "`/v1/fetch`; 1 GB as gzip of 1 MB",
		addresses: 8, one: asking(naming("fetch"), readAll), site: bomb(64), again: time.Second,
	}.at(8),
	attack{
		name: "robots.txt redirected to a victim", sends: "`/v1/fetch`; each site redirects to one other",
		addresses: 18, one: asking(naming("fetch"), readAll), site: redirecting(victim), again: time.Second, sample: true,
	}.at(18),
	attack{
		name: "sitemaps redirected to a victim", sends: "`/v1/sitemap`, the same",
		addresses: 18, one: asking(naming("sitemap"), readAll), site: redirecting(victim), again: time.Second,
	}.at(18),
	attack{
		name: "permits about a victim", sends: "`/v1/permit`; each site names 16 documents of one other",
		addresses: 18, one: asking(permits, readAll), site: licensing(func(*attacked) string { return victim }), again: time.Second, sample: true,
	}.at(18),
	attack{
		name: "permits about many sites", sends: "`/v1/permit`; each site names documents of 16 others",
		addresses: 1, one: asking(permits, readAll), site: licensing((*attacked).host), again: time.Second, sample: true, paid: true,
	}.at(26),
	attack{
		name: "checks about many sites", sends: "`/v1/check`, each of 50 sites",
		addresses: 1, one: asking(manySites, readAll), site: smallFile, again: time.Second, sample: true, paid: true,
	}.at(26),
	attack{
		name: "redirects to the proxy", sends: "`/v1/sitemap`; the site redirects to the service's proxy",
		one: asking(toProxy, readAll), site: redirecting(proxyAddress), flags: []string{"--proxy", "env"},
		again: time.Second, sample: true,
	}.at(1),
	attack{
		name: "a client for each request", sends: "`/v1/check`, from another IPv6 network",
		one: smallRequests, proxied: true, sample: true,
	}.at(64),
	attack{
		name: "large requests", sends: "any operation, with files of 1 MB and lists of 4 MB",
		addresses: 10, one: asking(heavyRequest, readAll), again: time.Second, sample: true,
	}.at(100),
	attack{
		name: "many files in a request", sends: "`/v1/check`, 4 MB: 320,000 files without text",
		addresses: 30, one: asking(manyFiles, readAll), again: time.Second,
	}.at(30),
	attack{
		name: "large files of sites", sends: "`/v1/check`, each of 50 sites with files of 500 KB",
		one: asking(manySites, readAll), proxied: true, site: largeFile, again: time.Second,
	}.at(32),
	attack{
		name: "headers, a byte a second", sends: "headers without end",
		addresses: 100, settle: 6 * time.Second, one: slowHeaders,
	}.at(10_000),
	attack{
		name: "bodies, a byte a second", sends: "a body of 4 MB",
		addresses: 100, settle: 6 * time.Second, one: slowBody,
	}.at(10_000),
	attack{
		name: "idle connections", sends: "nothing",
		addresses: 100, settle: 6 * time.Second, one: idle,
	}.at(10_000),
	attack{
		name: "streams that are not read", sends: "a stream without end",
		addresses: 100, settle: 2 * time.Second, one: slowReader, slow: true,
	}.at(2_000),
	attack{
		name: "streams that are read", sends: "the same, as fast as possible",
		addresses: 16, one: busyStream,
	}.at(64),
	attack{
		name: "streams with a question each 8 s, of as many networks", sends: "4 bytes each 8 s",
		one: slowQuestions, proxied: true, settle: 3 * time.Second, sample: true,
	}.at(64, 300),
	attack{
		name: "streams again and again, of as many networks", sends: "a question each second",
		one: shortStream, proxied: true, again: 100 * time.Millisecond, settle: 3 * time.Second,
	}.at(300),
	attack{
		name: "files of the page, 20 to 80 KB/s", sends: "`/robots.wasm` without a coding",
		addresses: 100, settle: 2 * time.Second, one: asking(module, readPaced), slow: true, sample: true,
	}.at(200, 2000),
	attack{
		name: "files of the page, not read", sends: "the same, reads the status only, for a second",
		addresses: 100, settle: 2 * time.Second, one: asking(module, readASecond), slow: true, again: time.Second, sample: true,
	}.at(400, 4000),
	attack{
		name: "header floods", sends: "headers as fast as possible",
		one: headerFlood,
	}.at(100),
	attack{
		name: "slow clients of all kinds", sends: "one of the rows before",
		addresses: 100, settle: 6 * time.Second, one: anySlow, slow: true,
	}.at(10_000),
)

// anySlow is one of the slow clients.
func anySlow(a *attacker) error {
	return []func(*attacker) error{slowHeaders, slowBody, idle, slowReader}[rand.IntN(4)](a)
}

// rampUp is the time in which the clients of an attack connect for the first time.
func (k *attack) rampUp() time.Duration { return time.Duration(k.clients) * 300 * time.Microsecond }

// run lets the clients of an attack connect, and again whenever their connection has ended.
func (k *attack) run(a *attacked) {
	again := cmp.Or(k.again, 10*time.Second)
	for i := range k.clients {
		go func() {
			one := &attacker{attacked: a}
			address := net.IPv4(127, 1, 0, byte(1+i%k.addresses))
			for wait := k.rampUp() + 1; ; wait = again {
				time.Sleep(rand.N(wait))
				if k.proxied {
					address = net.ParseIP(trustedProxy)
					one.forward()
				}
				_ = one.connect(k, address) // the end of the connection is measured
			}
		}()
	}
	select {}
}
