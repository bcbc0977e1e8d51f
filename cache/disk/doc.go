// Package disk is a [cache.Store] in a directory, which several processes share
// and which outlives them.
//
// # Files
//
// The entries are in robots-cache.db, an SQLite database that anyone may look
// into while it is in use:
//
//	sqlite3 robots-cache.db 'SELECT CAST(key AS TEXT), size FROM entries'
//
// Beside it are its log (-wal), the index of the log (-shm), a lock file, and at
// most one damaged database that was set aside (.damaged-N). The directory has
// to be on a disk of this machine: the processes share memory, which a network
// file system cannot give them. While a process uses the store, its files may not
// be replaced; the directory may be removed, and is made again.
//
// # Promises
//
// What comes back is what was put. Each row carries a checksum over its key, its
// times and its data; a row that does not match is absent, and is removed.
//
// A put is answered when its transaction is committed: it survives the death of
// any process at any moment. It does not survive for certain that the machine
// loses power, because commits do not wait for the disk; then the last of them
// may be gone, and all that is left is whole.
//
// A damaged database is moved aside, once for all processes, and a new one
// begins. What processes have put before that is in the damaged one, and lost.
// Windows permits that only when no other process has it open; until then there
// is no cache.
//
// Trouble with the disk makes no trouble for the caller but errors that wrap
// [ErrDegraded]. While nothing can be written, because the disk is full or a
// quota reached, entries can still be read. While the database cannot be opened,
// because the directory is read-only, say, or because the database belongs to a
// newer version of this package, there is no cache. Either is tried again from
// time to time, and logged as one warning.
//
// # Size
//
// [Config.MaxBytes] bounds the database. When it is full, expired entries go
// first, then those that were put the longest time ago: an origin that is in use
// is fetched again at least every day or so, and each fetch makes its entry the
// youngest. The pages that they leave are used again, so that the file stops
// growing; when a quarter of it is unused, the file shrinks. The log comes on
// top, a sixteenth of the database but 1 to 32 MiB, for moments a few times
// that; so does a database set aside.
//
// A process takes up to 64 MiB of memory for pages of the database. With all else
// 220 MB were measured, with a million entries and 4096 puts at any moment.
package disk
