// Package warc reads web archives in the WARC format, versions 1.0 and 1.1,
// plain or compressed with gzip or zstd, and the HTTP responses in them.
//
// Archives come from strangers: lengths can be wrong, compressed data can be damaged
// or grow a thousandfold, files can end early. A Reader keeps a bounded part of each
// record, reports each damaged place once, and continues with the next record that
// it finds. [WARC 1.1 4 to 6, annex D]
package warc
