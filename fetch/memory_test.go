package fetch

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestLargestFileIsKept checks with the least permitted MaxMemory that the file
// with the largest parsed form is kept, alone and beside many others that are in
// use.
func TestLargestFileIsKept(t *testing.T) {
	const limit = 500 << 10
	large := ("User-agent: *\n" + strings.Repeat("allow:\n", limit/7))[:limit]
	for name, others := range map[string]int{"alone": 0, "beside others": 3000} {
		for _, keepBodies := range []bool{false, true} {
			fetches := map[string]int{}
			client := newTestClient(t,
				Config{Limits: Limits{MaxMemory: 16 * limit}, KeepBodies: keepBodies,
					Network: Network{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
						fetches[r.URL.Host]++
						if r.URL.Host == "large.example" {
							return respond(r, 200, large), nil
						}
						return respond(r, 200, typicalFile), nil
					})}})
			call := func(host string) {
				Expect(t, client, "https://"+host+"/", "rules")
			}
			for range 3 {
				for i := range others {
					call(fmt.Sprintf("host%d.example", i))
				}
			}
			for range 50 {
				call("large.example")
				for i := range others / 100 {
					call(fmt.Sprintf("host%d.example", i))
				}
			}
			t.Logf("%s, bodies %v: %d fetches of the large file, %d sites in memory, %d bytes", name, keepBodies, fetches["large.example"], client.memory.EstimatedSize(), client.memory.WeightedSize())
			if most := map[bool]int{true: 1, false: 5}[others == 0]; fetches["large.example"] > most {
				t.Errorf("%s, bodies %v: %d fetches of the large file", name, keepBodies, fetches["large.example"])
			}
		}
	}
}
