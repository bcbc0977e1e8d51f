package sites_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/internal/localnames"
)

func TestMain(m *testing.M) {
	localnames.Use()
	m.Run()
}
