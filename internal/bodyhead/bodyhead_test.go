package bodyhead_test

import (
	"testing"

	"github.com/kosterhq/robotstxt/internal/bodyhead"
)

func TestIsMarkup(t *testing.T) {
	for body, want := range map[string]bool{
		"<!doctype html>": true, "<html>": true, "<?xml version='1.0'?>": true, " \r\n\ufeff<HTML>": true,
		"\xef\xbb<p>": true, "\ufffd<p>": true, "ï»¿\ufffd<p>": true, "\ufeff\ufeff\n<a": true,
		"": false, "<": false, "< p": false, "<3": false, "User-agent: *\n<html>": false, "# <html>": false, "\ufeff": false,
	} {
		if got := bodyhead.IsMarkup([]byte(body)); got != want {
			t.Errorf("%q: %v", body, got)
		}
	}
}

func TestMarks(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 0, "\xef": 1, "\xef\xbba": 2, "\ufeff\ufeff": 3} {
		if got := bodyhead.MarkLen([]byte(text)); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}
