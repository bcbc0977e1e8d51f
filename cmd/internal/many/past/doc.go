// Package past fills the history of robots.txt files from Git and from archives, and makes
// the timeline of a site from it, with the paths that each version opened and closed. It
// prints nothing.
package past
