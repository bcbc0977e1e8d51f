package watch

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestStoreFaults: a disk that is full for ten minutes is one message a minute, which counts.
func TestStoreFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var messages []string
		w := &watcher{Config: Config{Every: time.Hour,
			Fault: func(err error) { messages = append(messages, err.Error()) }}}
		full := fmt.Errorf("%w: the disk is full", ErrDegraded)
		for range 60 {
			if !w.goOn(t.Context(), nil, full) {
				t.Fatal("the run ends")
			}
		}
		if len(messages) != 10 || messages[0] != full.Error() || !strings.HasSuffix(messages[1], "full (6 times since the last message)") {
			t.Errorf("%q", messages)
		}
	})
}
