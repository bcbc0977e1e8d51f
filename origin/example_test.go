package origin_test

import (
	"errors"
	"fmt"

	"github.com/kosterhq/robotstxt/origin"
)

func ExampleOf() {
	o, err := origin.Of("HTTPS://me:secret@www.EXÄMPLE.com.:443/folder/page?q=1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(o)
	fmt.Println(o.RobotsURL())
	fmt.Println(o.Addr())
	// Output:
	// https://www.xn--exmple-cua.com
	// https://www.xn--exmple-cua.com/robots.txt
	// www.xn--exmple-cua.com:443
}

// Different spellings of an address give the same host, so that a guard against
// private addresses can recognise it.
func ExampleOf_address() {
	for _, u := range []string{"http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://[0:0::1]/"} {
		o, _ := origin.Of(u)
		fmt.Println(o.Host())
	}
	// Output:
	// 127.0.0.1
	// 127.0.0.1
	// 127.0.0.1
	// ::1
}

func ExampleError() {
	_, err := origin.Of("example.com/x")
	fmt.Println(err)

	var e *origin.Error
	fmt.Println(errors.As(err, &e), e.URL)
	// Output:
	// "example.com/x" has no scheme: write http://example.com/x or https://…
	// true example.com/x
}

// Origins can be map keys: pages that share one robots.txt have equal origins.
func ExampleOrigin() {
	pages := map[origin.Origin]int{}
	for _, u := range []string{
		"https://example.com/a",
		"https://EXAMPLE.com:443/b",
		"http://example.com/a",
		"https://example.com:8181/a",
	} {
		o, _ := origin.Of(u)
		pages[o]++
	}
	fmt.Println(len(pages))
	// Output: 3
}

func ExampleOrigin_IsRobotsURL() {
	o, _ := origin.Of("https://example.com/")
	fmt.Println(o.IsRobotsURL(origin.Text("https://example.com:443/robots.txt")))
	fmt.Println(o.IsRobotsURL(origin.Text("https://example.com/folder/robots.txt")))
	// Output:
	// true
	// false
}
