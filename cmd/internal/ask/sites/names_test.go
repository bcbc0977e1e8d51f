package sites_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/internal/test/localnames"
)

func TestMain(m *testing.M) {
	localnames.Use()
	m.Run()
}
