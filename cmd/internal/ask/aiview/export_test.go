package aiview

// Spent returns how many proofs were made, and how many steps are left for others.
func (e *Extents) Spent() (proofs, left int) { return len(e.proofs), e.steps }
