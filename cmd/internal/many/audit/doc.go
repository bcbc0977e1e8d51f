// Package audit turns many robots.txt files into tables: a row for each file, and a row
// for each file and crawler.
//
// A [Source] yields files, from folders, archives or the network. [Run] analyses them on
// all processors and writes the rows to parts, which are Parquet files in a folder. A
// part is complete or absent, so an interrupted run can continue after the last complete
// part. [Parts.WriteFiles] writes the parts as one Parquet, CSV or JSON Lines file.
//
// The tables have all captures. A [Census], which Run or [Census.ReadTable] fills, chooses
// the captures to count: one for each site. Captures with one label are a [Crawl], which
// [Crawl.Count] counts; [Census.Compare] compares crawls.
//
// Unknown values are null. If the record of a file is damaged or its body was not
// archived, its row has no verdicts and is never "open".
package audit
