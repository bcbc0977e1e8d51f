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

// unit is the systemd unit of the service, in whose checkout this program runs.
const unit = "deploy/robots.service"

// documentedMemory returns the memory that the service must not exceed: that of its unit.
func documentedMemory() (int64, error) {
	_, here, _, _ := runtime.Caller(0)
	text, err := os.ReadFile(filepath.Join(filepath.Dir(here), "..", "..", unit))
	if err != nil {
		return 0, fmt.Errorf("run this in a checkout: %w", err)
	}
	return memoryMax(string(text))
}

// memoryMax returns the value of MemoryMax in a unit.
func memoryMax(unit string) (int64, error) {
	for line := range strings.Lines(unit) {
		value, found := strings.CutPrefix(strings.TrimSpace(line), "MemoryMax=")
		if !found {
			continue
		}
		shift := map[byte]int{'K': 10, 'M': 20, 'G': 30}[value[len(value)-1]]
		n, err := strconv.ParseInt(strings.TrimRight(value, "KMG"), 10, 64)
		return n << shift, err
	}
	return 0, fmt.Errorf("%s has no MemoryMax", unit)
}

// attacksHead is the text before the rows of attacks.
const attacksHead = `## Attacks

Each row has a new public service, with ` + "`--host`" + ` and otherwise the defaults, except ` + "`--max-connections 300`" + ` for
drips. %d honest clients send %d requests a second together, a fifth over new connections, for %v: questions
with a file of 1 KB and of 20 KB, questions about a known site, reasons, problems, the page. A request that is
refused has failed. The service must stay below %s, the ` + "`MemoryMax`" + ` of [its unit](../../../deploy/robots.service);
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

// victimFetches is how many requests a site may get in a time: three at once, and one each
// --origin-interval.
func victimFetches(in time.Duration) int { return 3 + int(in/(10*time.Second)) }

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
	}, k.flags...) // the last one of a name counts
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

// attackRow prints the row of an attack, and what must not be.
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
