// Package cacheheader names the headers that tell some caches how long to keep a response.
package cacheheader

// Targeted are headers that CDNs and proxies obey instead of Cache-Control [RFC 9213], in canonical form. Many remove
// them from what they pass on.
var Targeted = []string{
	"Cdn-Cache-Control", "Akamai-Cache-Control", "Cloudflare-Cdn-Cache-Control", "Netlify-Cdn-Cache-Control",
	"Vercel-Cdn-Cache-Control", "X-Litespeed-Cache-Control", "Surrogate-Control", "Edge-Control", "X-Accel-Expires",
}
