// Package colly tests robotshttp.Transport in a collector of gocolly/colly. The
// transport is more exact than colly's own check, which is per host instead of per
// origin, never fetches robots.txt again, and does not check redirects. The
// package contains only tests. It is in this module so that programs that import
// the project do not require colly.
package colly
