// Package history keeps what the robots.txt of origins was at which time, in an SQLite
// database: for logs that are read later, and to see when a file changed.
//
//	store, err := history.Open(ctx, "history.db", history.Config{})
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//	err = store.Add(ctx, history.FromStored(stored)) // in fetch.Config.OnFetch
//	answer, err := store.At(ctx, "https://shop.example", time.Now().Add(-48*time.Hour))
//
// # What an observation proves
//
// An [Observation] proves what was true at one instant. Equal observations, at most
// [Config.MaxGap] apart, make it [Presumed] that nothing else was true between them. Between
// two different ones both are [Possible]. Everything else is [Unknown]: the time before the
// first and after the last observation, and that between equal ones that are further apart.
//
// Observations are equal if their status, fault, redirects, final URL, body and Truncated
// are. Headers and sources do not count: many servers send another ETag or Last-Modified each
// time. Observations may arrive in any order of their times, also twice.
//
// Times are kept to the millisecond. If another observation has the same millisecond and
// differs, the new one is kept at the next free millisecond.
//
// A fault of this machine, "local", says nothing about a site. Add ignores it.
//
// # Files
//
// Bodies are kept once, by their SHA-256. Several processes may share the database, which
// must be on a local disk. Beside it are its log (-wal), the index of the log (-shm) and a lock
// file (.lock). A damaged database is renamed (.damaged-N, the last three are kept), and so is
// one that an older version made with other tables (.older-N, all are kept); a warning says
// so, and a new one begins empty. A database of a newer version is an error.
//
// Add returns after its transaction is committed. From then on the observation survives a
// crash of any process. A power failure may lose the last observations, because commits do
// not wait for the disk.
//
// # Bounds
//
// [Config.MaxBytes] and [Config.MaxAge] bound the database. What is dropped are the intervals
// that ended first. The store remembers until when observations of each origin were dropped:
// answers about that time are Unknown, with Dropped set, and [Store.Stats] counts them.
package history
