package deploy

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

var metricName = regexp.MustCompile(`\b(robots|robotstxt|process)_[a-z_]+\b`)

// TestMetrics checks that each metric in the alerts and in the dashboard is one of a running
// service, with each label that they select by.
func TestMetrics(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer site.Close()
	s := startService(t, build(t), "ROBOTS_SERVE_CACHE="+t.TempDir(), "ROBOTS_SERVE_ALLOW_RANGE=127.0.0.0/8")
	question := `{"agents": ["FooBot"], "urls": [%q]}`
	check := "http://" + s.address + "/v1/check"
	for range 2 {
		if status := post(t, check, "application/json", fmt.Sprintf(question, site.URL)); status != 200 {
			t.Fatalf("status %d", status)
		}
	}
	post(t, check, "application/json", "{")
	post(t, check, "application/x-ndjson", `{"agents": ["FooBot"], "body": ""}`+"\n"+`"/"`+"\n")
	_, served := get(t, "http://"+s.admin+"/metrics")
	expressions := append(alerts(t), panels(t)...)
	found := 0
	for _, expression := range expressions {
		for _, name := range metricName.FindAllString(expression, -1) {
			found++
			if !strings.Contains(served, "\n"+name+" ") && !strings.Contains(served, "\n"+name+"{") {
				t.Errorf("%s: the service has no metric %s", expression, name)
			}
		}
		for _, selected := range regexp.MustCompile(`\b((?:robots|robotstxt)_[a-z_]+)\{([a-z]+)`).FindAllStringSubmatch(expression, -1) {
			if !regexp.MustCompile(`(?m)^` + selected[1] + `\{(?:.*,)?` + selected[2] + `="`).MatchString(served) {
				t.Errorf("%s: the metric %s has no label %s", expression, selected[1], selected[2])
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d metrics in %q", found, expressions)
	}
}

// alerts returns the expressions of the alerts.
func alerts(t *testing.T) (expressions []string) {
	t.Helper()
	var file struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if err := yaml.Unmarshal([]byte(readFile(t, "../../../../deploy/prometheus/alerts.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	tests := readFile(t, "../../../../deploy/prometheus/alerts.test.yaml")
	for _, rule := range file.Groups[0].Rules {
		expressions = append(expressions, rule.Expr)
		if n := strings.Count(tests, "alertname: "+rule.Alert+"\n"); n < 2 {
			t.Errorf("alerts.test.yaml has %d tests of %s, want one that fires and one that does not", n, rule.Alert)
		}
	}
	return expressions
}

// panels returns the expressions of the dashboard.
func panels(t *testing.T) (expressions []string) {
	t.Helper()
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(readFile(t, "../../../../deploy/grafana.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, panel := range dashboard.Panels {
		if panel.Title == "" || len(panel.Targets) == 0 {
			t.Errorf("%+v", panel)
		}
		for _, target := range panel.Targets {
			expressions = append(expressions, target.Expr)
		}
	}
	return expressions
}

// TestAlerts runs the tests of the alerts in Prometheus' own tool, and reads the expressions
// of the dashboard with it.
func TestAlerts(t *testing.T) {
	program, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("NOT TESTED: the alerts; install promtool, on Debian: apt-get install prometheus")
	}
	for _, args := range [][]string{{"check", "rules", "alerts.yaml"}, {"test", "rules", "alerts.test.yaml"}} {
		command := exec.Command(program, args...)
		command.Dir = "../../../../deploy/prometheus"
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	var rules strings.Builder
	rules.WriteString("groups:\n- name: dashboard\n  rules:\n")
	for i, expression := range panels(t) {
		text, err := json.Marshal(strings.ReplaceAll(expression, "$__rate_interval", "1m"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&rules, "  - {record: panel%d, expr: %s}\n", i, text)
	}
	file := filepath.Join(t.TempDir(), "dashboard.yaml")
	if err := os.WriteFile(file, []byte(rules.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, "check", "rules", file)
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("the dashboard: %v\n%s", err, out)
	}
}
