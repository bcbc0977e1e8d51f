// Package auditreport prints the counts of an audit, and writes them as one HTML page that needs no
// other file and no script. Each figure has bars with their counts next to them, and states the
// number of files on which it is based. The history of a site has a page of the same form.
//
// Texts from hosts and files are escaped twice: [term.Escape] makes controls and marks of
// direction visible, and package markup escapes markup.
package auditreport
