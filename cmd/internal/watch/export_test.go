package watch

import "context"

// Exec runs a statement, for tests that limit or lock the store.
func (s *Store) Exec(ctx context.Context, query string) error {
	_, err := s.db.ExecContext(ctx, query)
	return err
}
