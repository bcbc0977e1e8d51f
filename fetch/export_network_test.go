package fetch

// FaultKind returns the kind of a Result's error.
func FaultKind(err error) string { return faultKind(err) }
