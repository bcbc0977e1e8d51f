package prose

import (
	"fmt"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// Event returns a step of a fetch in one line:
// "https://shop.example: fetched in 12ms, 345 bytes".
func Event(e wire.Event) string {
	text := term.Escape(e.Origin) + ": " + term.Escape(e.Event)
	if e.Duration > 0 {
		text += " in " + time.Duration(e.Duration*float64(time.Second)).Round(time.Millisecond).String()
	}
	if e.Bytes > 0 {
		text += fmt.Sprintf(", %d bytes", e.Bytes)
	}
	if e.Error != "" {
		text += ": " + term.Escape(e.Error)
	}
	return text
}
