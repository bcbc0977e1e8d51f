// Package colly tests the recipe in docs/colly.md: robotshttp.Transport inside
// gocolly/colly. It contains only tests. It is in this module so that importers of
// the others do not require colly.
package colly
