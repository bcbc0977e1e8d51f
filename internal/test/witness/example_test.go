package witness_test

import (
	"fmt"

	"github.com/kosterhq/robotstxt/internal/test/witness"
)

// The first twelve witnesses of two patterns. /a.php and /ax.php match both patterns.
func ExamplePaths() {
	for path := range witness.Paths([]string{"/a*", "/*.php$"}, 12) {
		fmt.Println(path)
	}
	// Output:
	// /a
	// /.php
	// /ax
	// /x.php
	// /.phpx
	// /
	// /.ph
	// /robots.txt
	// /x
	// /a.php
	// /ax.php
	// /axx
}

// A slash was added to a rule: the verdicts of /private and /privatex differ.
func ExampleBetween() {
	before := []string{"/private", "/tmp/"}
	after := []string{"/private/", "/tmp/"}
	for path := range witness.Between(before, after, 8) {
		fmt.Println(path)
	}
	// Output:
	// /private
	// /private/
	// /tmp/
	// /privatex
	// /private/x
	// /tmp/x
	// /privat
	// /tmp
}
