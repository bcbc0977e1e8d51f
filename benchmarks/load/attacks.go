package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kosterhq/robotstxt/benchmarks/machine"
)

// documentedMemory returns the memory limit of the service, which it reads from
// docs/operations.md in the checkout in which this program runs.
func documentedMemory() (int64, error) {
	folder, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	text, err := os.ReadFile(filepath.Join(folder, "docs", "operations.md"))
	for ; err != nil; text, err = os.ReadFile(filepath.Join(folder, "docs", "operations.md")) {
		above := filepath.Dir(folder)
		if above == folder {
			return 0, fmt.Errorf("run this in a checkout: %w", err)
		}
		folder = above
	}
	_, after, _ := strings.Cut(string(text), "With the defaults it is ")
	value, _, _ := strings.Cut(after, " GiB")
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 0, fmt.Errorf("docs/operations.md has no memory: %w", err)
	}
	return int64(n * (1 << 30)), nil
}

// attacksHead is the text before the rows of attacks.
const attacksHead = `## Attacks

Each row has a new public service, with ` + "`--host`" + ` and otherwise the defaults, except ` + "`--max-connections 300`" + ` for
drips. %d honest clients send %d requests a second together, a fifth over new connections, for %v: questions
with a file of 1 KB and of 20 KB, questions about a known site, streams of ten questions, reasons, problems, the page. A
request that is refused has failed. The service must stay below %s, the number in [operations.md](../../../docs/operations.md#the-service);
the last column has what must not be. Latencies are those of honest requests.

| attack | each client sends | at once, of addresses | service | most memory | processor time | honest requests | failed ` +
	`| p50 | p99 | slowest | answers to attackers: 200, 429 and 503, others; longest | |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
`

// attacks measures honest clients during attacks.
func (r *run) attacks() error {
	if runtime.GOOS != "linux" {
		note("attacks are not measured: on %s the loopback interface has one address", runtime.GOOS)
		return nil
	}
	limit, err := documentedMemory()
	if err != nil {
		return err
	}
	r.print(attacksHead, honestClients, honestRate, r.length, formatMB(limit))
	list := honest(r.known())
	for _, k := range append([]attack{{name: "none"}}, attacks...) {
		if !strings.Contains(k.key(), r.attackName) || r.sample && !k.sample {
			continue
		}
		for row := range strings.Lines(r.before) {
			if strings.HasPrefix(row, k.row("after")) {
				r.print("%s", k.row("before")+strings.TrimPrefix(row, k.row("after")))
			}
		}
		if err := r.attack(&k, list, limit); err != nil {
			return err
		}
	}
	r.print("\n")
	return nil
}

// row returns the beginning of the row of an attack.
func (k *attack) row(service string) string {
	return fmt.Sprintf("| %s | %s | %d of %d | %s |", k.name, k.sends, k.clients, k.addresses, service)
}

// victimFetches is how many requests a site may get in a time: three at once, one each
// --origin-interval, and one for its robots.txt, which is cached.
func victimFetches(in time.Duration) int { return 4 + int(in/(10*time.Second)) }

// paidFetches is how many requests clients may cause in a time: ten times --client-fetch-rate at
// once, and that rate.
func (k *attack) paidFetches(in time.Duration) int { return k.addresses * (20 + int(2*in.Seconds())) }

// attack measures one attack, with a new service.
func (r *run) attack(k *attack, list []request, limit int64) error {
	l, err := listenLoopback()
	if err != nil {
		return err
	}
	defer l.Close()
	file, err := l.File()
	if err != nil {
		return err
	}
	defer file.Close()
	port := l.Addr().(*net.TCPAddr).Port
	s, err := r.startService(r.known(), r.public(k, port), fmt.Sprintf("HTTP_PROXY=http://%s:%d", proxyAddress, port))
	if err != nil {
		return err
	}
	defer s.stop()
	began, before, last := time.Now(), s.usage(), watch(s)
	crowd := &crowdProcess{}
	if k.one != nil {
		if crowd, err = startCrowd(k, s.address, file); err != nil {
			return err
		}
		defer crowd.stop()
		time.Sleep(k.settle)
	}
	got := pace{
		connections: 2 * honestClients, clients: honestClients, rate: honestRate,
		length: r.length, patience: r.patience, retries: r.retries,
	}.run(s.address, list)
	r.attackRow(k, got, crowd.seen(), last().since(before), time.Since(began), limit, s.hasEnded())
	return nil
}

// known returns the sites of the questions of honest clients: as many as a public service fetches
// for one client without a wait.
func (r *run) known() []*site { return r.sites[:8] }

// public returns the flags of the service for an attack.
func (r *run) public(k *attack, port int) []string {
	ports := []string{"80", strconv.Itoa(port)}
	for _, s := range r.known() {
		ports = append(ports, s.url[strings.LastIndexByte(s.url, ':')+1:])
	}
	return append([]string{
		"--host", "robots.example", "--trusted-proxy", trustedProxy + "/32", "--allow-ports", strings.Join(ports, ","),
		"--allow-range", "127.0.0.1/32," + hostileSites + ",203.0.113.0/24", "--proxy", "none",
	}, k.flags...) // the last one with a name applies
}

// watch reads what the service uses. Its result returns the last figures, also of a service
// that has ended.
func watch(s *service) func() usage {
	var latest atomic.Pointer[usage]
	latest.Store(&usage{})
	go func() {
		for now := s.usage(); now.peak > 0; now = s.usage() { // it is zero after the end
			latest.Store(&now)
			time.Sleep(100 * time.Millisecond)
		}
	}()
	return func() usage { return *latest.Load() }
}

// attackRow prints the row of an attack, and every limit that it broke.
func (r *run) attackRow(k *attack, got *result, attackers seen, used usage, took time.Duration, limit int64, ended bool) {
	total := got.total()
	var bad []string
	excess := func(is bool, format string, values ...any) {
		if is {
			bad = append(bad, fmt.Sprintf(format, values...))
		}
	}
	excess(used.peak >= limit, "%s of memory", formatMB(used.peak))
	excess(ended, "the service has ended")
	excess(attackers.Fetched > victimFetches(took), "%d fetches from the victim", attackers.Fetched)
	excess(k.paid && attackers.Sites > k.paidFetches(took), "%d fetches from sites", attackers.Sites)
	excess(attackers.Leaked > 0, "%d times the proxy's page", attackers.Leaked)
	shown := strings.Join(bad, "; ")
	if err := got.err(); err != nil {
		bad = append(bad, err.Error())
	}
	r.print("%s %s | %.1f s in %.0f s | %d | %d | %.1f ms | %.1f ms | %.0f ms | ", k.row("after"),
		formatMB(used.peak), used.cpu.Seconds(), took.Seconds(), total, total-got.counts[right],
		milliseconds(got.latency.quantile(.5)), milliseconds(got.latency.quantile(.99)), milliseconds(got.latency.quantile(1)))
	r.print("%d, %d, %d; %.1f s | %s |\n", attackers.Answered, attackers.Refused, attackers.Other, attackers.Longest.Seconds(), shown)
	note("attack: %s: %d of %d connections open, load average %s; %s",
		k.key(), attackers.Open, attackers.Opened, machine.LoadAverage(), orNone(got.err()))
	if len(bad) > 0 {
		r.bad = append(r.bad, fmt.Sprintf("%s: %s", k.key(), strings.Join(bad, "; ")))
	}
}
