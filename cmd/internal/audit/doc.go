// Package audit turns many robots.txt files into tables: a row for each file, and a
// row for each file and crawler.
//
// A [Source] yields files, from folders, archives or the network. [Run] analyses them
// on all processors and writes the rows to parts, which are Parquet files in a folder.
// A part is complete or absent, so that a run which was interrupted goes on where it
// stopped. [Merge] writes the parts as one Parquet, CSV or JSON Lines file, and
// [Summarize] counts them.
//
// What is not known is null. A file whose record is damaged or whose body was not
// archived has a row without verdicts, never one that says "open".
package audit
