// Package disk provides a [cache.Store] in a directory. Several processes of one
// machine can share it, and its entries outlive them.
//
//	store, err := disk.Open(ctx, disk.Config{Dir: "/var/cache/foobot"})
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//	client, err := fetch.New(fetch.Config{UserAgent: userAgent, Store: store})
//
// # Files
//
// The entries are in robots-cache.db, an SQLite database. Other programs can read
// it while it is in use:
//
//	sqlite3 robots-cache.db 'SELECT CAST(key AS TEXT), size FROM entries'
//
// The directory also contains the database's log (-wal), the index of the log
// (-shm), a lock file, and at most one damaged database (.damaged-N). It must be
// on a local disk: the processes share memory through it, which network file
// systems do not support. Do not replace its files while a process uses the store.
// Removing the whole directory is safe; the store makes it again.
//
// # Guarantees
//
// An entry that the store returns is complete and unchanged. Each row has a checksum
// of its key, times and data. A row with a wrong checksum counts as absent and is
// deleted.
//
// PutIfNewer returns after its transaction is committed. From then on the entry
// survives a crash of any process. A power failure can lose the last entries,
// because commits do not wait for the disk. The remaining entries are complete.
//
// The store implements [cache.Leaser]: of the processes that share it, one fetches a
// file and the others wait for the entry.
//
// If the database is damaged, one process renames it and makes a new one. The
// entries of the damaged one are lost. On Windows this is possible only when no
// other process has the database open; until then the store returns errors.
//
// If the disk fails, methods return errors that wrap [ErrDegraded]. If the database
// cannot be written, for example because the disk is full, Get still works. If it
// cannot be opened, for example because the directory is read-only or because a
// newer version of this package made it, all methods fail. The store retries from
// time to time, and logs one warning.
//
// # Size
//
// [Config.MaxBytes] bounds the database. When it is full, the store deletes expired
// entries first, and then those with the oldest put. An origin in use is fetched
// again about every day, which makes its entry the newest. SQLite uses the free
// pages again, so the file stops growing; if a quarter of it is free, it shrinks.
// The log needs additional space: a sixteenth of the bound, but at least 1 MiB and
// at most 32 MiB, and for moments a few times as much. A damaged database needs
// additional space too.
//
// A process uses up to 64 MiB of memory for pages of the database. In total 220 MB
// were measured, with a million entries and 4096 concurrent puts.
package disk
