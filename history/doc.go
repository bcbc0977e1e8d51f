// Package history keeps the robots.txt of origins over time, in an SQLite database,
// to judge old logs by the files of their time and to see when a file changed.
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
// An [Observation] proves what was true at one instant. If two observations are equal, or their
// files are proved to mean the same, and they are at most [Config.MaxGap] apart, it is [Presumed]
// that nothing else was true between them. Observations from Git can be any time apart, because a
// repository has all versions. Between two different observations, both are [Possible], and their
// verdicts are presumed if only sitemaps or other lines differ, see [Answer.Verdicts]. Any other
// time is [Unknown]: before the first observation, after the last one, and between equal
// observations that are further apart.
//
// Observations are equal if their status, fault, redirects, final URL, body and Truncated are
// equal. Headers and sources are not compared, because many servers send a different ETag or
// Last-Modified each time. Observations can arrive in any order of their times, and more than
// once.
//
// Times are kept to the millisecond. If another observation has the same millisecond and
// differs, the new one is kept at the next free millisecond.
//
// A fault of this machine, "local", says nothing about a site. Add ignores it.
//
// # Files
//
// Bodies are kept once, by their SHA-256. Several processes can share the database, which must
// be on a local disk. Next to it are its log (-wal), the index of the log (-shm) and a lock
// file (.lock). Open renames a damaged database (.damaged-N, the last three are kept) and a
// database of an older version with different tables (.older-N, all are kept), logs a warning,
// and begins an empty one. A database of a newer version is an error.
//
// Add returns after its transaction is committed. From then on the observation survives a
// crash of any process. A power failure can lose the last observations, because commits do
// not wait for the disk.
//
// # Bounds
//
// [Config.MaxBytes] and [Config.MaxAge] bound the database. The intervals that ended first
// are dropped first. For each origin the store remembers the time until which it dropped
// observations: answers about that time are Unknown, with Dropped set, and [Store.Stats]
// counts the dropped observations.
package history
