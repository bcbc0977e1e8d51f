// Package surfaces tests that every way to ask about a crawler and a URL gives the same answer.
package surfaces
