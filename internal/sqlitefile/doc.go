// Package sqlitefile opens an SQLite database that several processes share: the store of
// robots.txt files or the history.
//
// A damaged database is renamed, with its log, and a new one is created. A database of a newer
// schema is left alone, and one of an earlier schema is upgraded, or renamed too. Only the user who
// created a database may read it. A process that has the lock of the directory opens, creates,
// upgrades or renames databases; the system releases it when the process ends.
package sqlitefile
