// Package sqlitefile opens an SQLite database that several processes share: the store of
// robots.txt files or the history.
//
// A damaged database is renamed, with its log, and a new one is created. A database of a newer
// schema is left alone. Only the user who created a database may read it. A process that has
// the lock of the directory opens, creates or renames databases; the system releases it when
// the process ends.
package sqlitefile
