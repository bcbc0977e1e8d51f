// Package auditreport prints the counts of an audit, and writes them as one HTML page that needs no
// other file and no script. Each picture is a row of bars with its counts beside it, and
// states of how many files it is. The history of a site has a page of the same form.
//
// Texts from hosts and files are escaped twice: [term.Escape] makes controls and marks of
// direction visible, and package markup escapes markup.
package auditreport
