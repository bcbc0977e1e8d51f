package auditreport_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// measure writes the least width of some bars in pixels, and what is wider than the page.
const measure = `<script>
const bars = [...document.querySelectorAll("BARS")].map(bar => bar.getBoundingClientRect().width)
document.documentElement.dataset.least = Math.floor(Math.min(...bars))
const page = document.body.getBoundingClientRect().right
const isWide = e => e.getBoundingClientRect().right > page + 1
const wide = [...document.querySelectorAll("body *")].filter(isWide)
document.documentElement.dataset.wide = wide.map(e => e.closest("section")?.id + " " + e.tagName).join()
</script>`

// TestLayout: in Chromium, the bars of crawls and of days are visible on screens, on phones and on paper,
// and nothing is wider than the page: no column is out of sight.
func TestLayout(t *testing.T) {
	browser := os.Getenv("ROBOTSTXT_BROWSER")
	if browser == "" {
		t.Skip("ROBOTSTXT_BROWSER is not set")
	}
	for _, c := range []struct {
		name, media, width string
	}{
		{"screen", "print", "1280px"}, {"phone", "print", "390px"}, {"paper", "all", "718px"},
	} {
		for bars, page := range map[string]string{".pair svg": write(t, summary("2026")), "#days td svg, #charts td svg": writeVisits(t)} {
			text := strings.ReplaceAll(page, "Content-Security-Policy", "X-None")
			text = strings.ReplaceAll(text, "@media print", "@media "+c.media)
			text = strings.Replace(text, "<body>", `<body style="width:`+c.width+`;margin:0">`, 1)
			text += strings.Replace(measure, "BARS", bars, 1)
			window := "1280,1000"
			if c.name == "phone" {
				window = "500,1000" // the least of Chromium; media queries see a narrow screen
			}
			folder := t.TempDir()
			name := filepath.Join(folder, "report.html")
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			command := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu",
				"--user-data-dir="+filepath.Join(folder, "profile"), "--window-size="+window, "--dump-dom", "file://"+name)
			output, err := command.Output()
			if err != nil {
				t.Fatal(err)
			}
			found := regexp.MustCompile(`data-least="(\d+)" data-wide="([^"]*)"`).FindSubmatch(output)
			if found == nil {
				t.Fatalf("%s, %s: nothing was measured", c.name, bars)
			}
			if least := string(found[1]); len(least) < 2 || least < "60" && len(least) == 2 {
				t.Errorf("%s: a bar of %s is %s px wide", c.name, bars, least)
			}
			if len(found[2]) > 0 {
				t.Errorf("%s, %s: wider than the page: %s", c.name, bars, found[2])
			}
		}
	}
}

// TestTiles: the tiles have every treatment by a file, so that their shares add up with what is not known, and faults
// apart from these.
func TestTiles(t *testing.T) {
	page := write(t, summary("2026"))
	for _, tile := range []string{"29.1%", "8.7%", "48.5%", "12.8%", "1.9%"} {
		if !strings.Contains(page, `<div class="tile"><b>`+tile+"</b>") {
			t.Errorf("there is no tile with %s", tile)
		}
	}
}
