// Package colly shows robotshttp.Transport inside of gocolly/colly, which is
// better off with it than with its own check: that one knows hosts instead of
// origins, never asks again, and does not look at redirects. The package is all
// tests; it is in this module so that nobody who imports ours requires colly.
package colly
