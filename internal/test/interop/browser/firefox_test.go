package browser_test

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"
)

// The smoke part runs in Firefox too, on the service, an exported folder and one file. The
// driver is puppeteer-core, because chromedp speaks to Chromium only.
func TestFirefox(t *testing.T) {
	t.Parallel()
	firefox := os.Getenv("ROBOTSTXT_FIREFOX")
	if firefox == "" {
		t.Skip("ROBOTSTXT_FIREFOX is not set")
	}
	if _, err := os.Stat("../../../../cmd/internal/frontends/page/node_modules/puppeteer-core"); err != nil {
		t.Skip("puppeteer-core is not installed: run cmd/internal/frontends/page/build")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // only a defect reaches it
	defer cancel()
	command := exec.CommandContext(ctx, "node", "../../../../cmd/internal/frontends/page/firefox.mjs", firefox, serve(t).url, static(t).url, exportFile(t))
	if output, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
