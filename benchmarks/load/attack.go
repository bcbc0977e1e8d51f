package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"
)

// attack is a way in which clients, and the sites that they name, use up the service.
type attack struct {
	name      string
	sends     string                                       // what one client does
	clients   int                                          // at once
	addresses int                                          // of these clients
	one       func(ctx context.Context, a *attacker) error // one connection
	site      func(a *attacked) http.HandlerFunc           // what hostile sites answer; nil for none
	flags     []string                                     // of the service
	again     time.Duration                                // a client waits at most so long before it connects again
	settle    time.Duration                                // honest clients come so long after the attackers
	sample    bool                                         // it is part of the sample
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

// attacks are all attacks. The first number of clients of a row is that of the sample.
var attacks = slices.Concat(
	attack{
		name: "large answers", sends: "`/v1/check`, 8 KB: 100 URLs × 1,000 crawlers, a rule of 430 stars",
		one: largeAnswer, again: time.Second, sample: true,
	}.at(100, 16, 1),
	attack{
		name: "large answers, each client of another network", sends: "the same",
		one: proxied(largeAnswer), again: time.Second,
	}.at(100),
	attack{
		name: "many answers", sends: "`/v1/check`, 620 KB: 9,000 URLs × 11 crawlers, 350 stars",
		one: manyAnswers, again: time.Second, sample: true,
	}.at(100, 16, 1),
	attack{
		name: "large answers, 1 KB/s", sends: "reads 1 KB a second",
		one: slowAnswer,
	}.at(256, 32),
	attack{
		name: "large answers, not read", sends: "reads the status only",
		one: unreadAnswer, sample: true,
	}.at(256, 32),
	attack{
		name: "stalled uploads", sends: "4 MB but for the last byte; less when refused",
		one: stalledUpload, again: time.Second, settle: 4 * time.Second, sample: true,
	}.at(70, 300),
	attack{
		name: "drips of live files", sends: "`/v1/fetch`; the site sends a byte every 5 s",
		addresses: 30, settle: 2 * time.Second, one: naming("fetch"), site: dripping, flags: few,
	}.at(300),
	attack{
		name: "drips of sitemaps", sends: "`/v1/sitemap`, the same",
		addresses: 30, settle: 2 * time.Second, one: naming("sitemap"), site: dripping, flags: few, sample: true,
	}.at(300),
	attack{
		name: "drips of pages", sends: "`/v1/resources`, the same",
		addresses: 30, settle: 2 * time.Second, one: naming("resources"), site: dripping, flags: few,
	}.at(300),
	attack{
		name: "sitemap bombs of 1 MB", sends: "`/v1/sitemap`; 1 GB as gzip of 1 MB",
		addresses: 8, one: naming("sitemap"), site: bomb(64), again: time.Second, sample: true,
	}.at(8, 1),
	attack{
		name: "sitemap bombs of 50 MB", sends: "`/v1/sitemap`; 50 GB as gzip of 50 MB",
		addresses: 8, one: naming("sitemap"), site: bomb(50 * 64), again: time.Second,
	}.at(8, 1),
	attack{
		name: "sitemap bombs, gzip in gzip", sends: "`/v1/sitemap`; gzip of gzip",
		addresses: 8, one: naming("sitemap"), site: nestedBomb, again: time.Second,
	}.at(8),
	attack{
		name: "robots.txt bombs", sends: "`/v1/fetch`; 1 GB as gzip of 1 MB",
		addresses: 8, one: naming("fetch"), site: bomb(64), again: time.Second,
	}.at(8),
	attack{
		name: "robots.txt redirected to a victim", sends: "`/v1/fetch`; each site redirects to one other",
		addresses: 18, one: naming("fetch"), site: redirecting(victim), again: time.Second, sample: true,
	}.at(18),
	attack{
		name: "sitemaps redirected to a victim", sends: "`/v1/sitemap`, the same",
		addresses: 18, one: naming("sitemap"), site: redirecting(victim), again: time.Second,
	}.at(18),
	attack{
		name: "redirects to the proxy", sends: "`/v1/sitemap`; the site redirects to the service's proxy",
		one: toProxy, site: redirecting(proxyAddress), flags: []string{"--proxy", "env"}, again: time.Second, sample: true,
	}.at(1),
	attack{
		name: "a client for each request", sends: "`/v1/check`, from another IPv6 network",
		one: proxied(smallRequests), sample: true,
	}.at(64),
	attack{
		name: "large requests", sends: "any operation, with files of 1 MB and lists of 4 MB",
		addresses: 10, one: heavyRequest, again: time.Second, sample: true,
	}.at(100),
	attack{
		name: "large files of sites", sends: "`/v1/check`, each of 50 sites with files of 500 KB",
		one: proxied(manySites), site: largeFile, again: time.Second,
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
		addresses: 100, settle: 2 * time.Second, one: slowReader,
	}.at(2_000),
	attack{
		name: "streams that are read", sends: "the same, as fast as possible",
		addresses: 16, one: busyStream,
	}.at(64),
	attack{
		name: "header floods", sends: "headers as fast as possible",
		one: headerFlood,
	}.at(100),
	attack{
		name: "slow clients of all kinds", sends: "one of the rows before",
		addresses: 100, settle: 6 * time.Second, one: anySlow,
	}.at(10_000),
)

// anySlow is one of the slow clients.
func anySlow(ctx context.Context, a *attacker) error {
	return []func(context.Context, *attacker) error{slowHeaders, slowBody, idle, slowReader}[rand.IntN(4)](ctx, a)
}

// pause is how long a client waits at most after the service has closed its connection, if
// the attack does not say.
const pause = 10 * time.Second

// rampUp is the time in which the clients of an attack connect for the first time.
func (k *attack) rampUp() time.Duration { return time.Duration(k.clients) * 300 * time.Microsecond }

// run lets the clients of an attack connect, and again whenever their connection has ended,
// until ctx ends.
func (k *attack) run(ctx context.Context, a *attacked) {
	again := k.again
	if again == 0 {
		again = pause
	}
	var running sync.WaitGroup
	for i := range k.clients {
		running.Go(func() {
			one := &attacker{attacked: a, address: [4]byte{127, 1, 0, byte(1 + i%k.addresses)}}
			for wait := k.rampUp() + 1; ctx.Err() == nil; wait = again {
				select {
				case <-time.After(time.Duration(rand.Int64N(int64(wait)))):
					_ = k.one(ctx, one) // that a connection ends is what is measured
				case <-ctx.Done():
				}
			}
		})
	}
	running.Wait()
}
