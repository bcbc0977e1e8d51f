package valkeytest_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

func TestServer(t *testing.T) {
	s := valkeytest.Start(t)
	s.Do("SET", "key", "value")
	if got := s.Do("GET", "key"); got != "value" {
		t.Errorf("GET = %v, want value", got)
	}
	s.Flush()
	if got := s.Do("GET", "key"); got != nil {
		t.Errorf("GET after Flush = %v, want nil", got)
	}
	s.Do("SET", "key", "value")
	s.Stop()
	s.Cont()
	if got := s.Do("GET", "key"); got != "value" {
		t.Errorf("GET after Stop and Cont = %v, want value", got)
	}
	s.Kill()
	s.Kill()
	s.Restart()
	if got := s.Do("GET", "key"); got != nil {
		t.Errorf("GET after Restart = %v, want nil", got)
	}
}

func TestCluster(t *testing.T) {
	c := valkeytest.StartCluster(t)
	c.Flush()
	c.Restart()
}
