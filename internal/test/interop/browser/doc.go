// Package browser tests the page of robots serve in Chromium: the real service, the
// real page and its WebAssembly, with the mouse and the keyboard. It contains only tests.
// It is a separate module so that the driver of the browser is not a requirement of the
// tool.
//
// The tests run if the environment variable ROBOTSTXT_BROWSER is the path of a Chromium:
//
//	ROBOTSTXT_BROWSER=/usr/bin/chromium go test -count=1 ./internal/test/interop/browser
//
// If ROBOTSTXT_FIREFOX is the path of a Firefox, TestFirefox runs a few of them in it too.
//
// One browser serves all tests; each test has its own profile. No test sleeps or fails
// because something was slow: each waits for a state of the page. Every request is
// recorded, and a request to another host, an error in the console and a violation of the
// page's policy fail the test in which they occur.
//
// With -update, TestPicture writes docs/page.png.
package browser
