package conformance

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// LocationFormat is the version of the format of redirects.
const LocationFormat = 1

// Locations are redirects from one URL.
type Locations struct {
	Format int            `json:"format"` // LocationFormat
	From   string         `json:"from"`   // the URL of the responses
	Cases  []LocationCase `json:"cases"`
}

// LocationCase is the Location of a response and the URL to request, nil if the redirect leads
// nowhere.
type LocationCase struct {
	Location string  `json:"location"`
	Target   *string `json:"target"`
}

//go:embed locations.json
var locationFile []byte

// ReadLocations returns the redirects of this package. Each call reads them again, so a caller can
// change the result.
func ReadLocations() (Locations, error) {
	var all Locations
	if err := json.Unmarshal(locationFile, &all); err != nil {
		return Locations{}, fmt.Errorf("locations.json: %w", err)
	}
	if all.Format != LocationFormat {
		return Locations{}, fmt.Errorf("locations.json: format %d is not %d, the only one known", all.Format, LocationFormat)
	}
	return all, nil
}
