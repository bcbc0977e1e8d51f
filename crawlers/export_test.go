package crawlers

// Hash is the hash of the vocabulary.
var Hash = caselessHash

// LettersOf is the set of letters in the generated table of names.
func LettersOf(name string) uint32 { return lettersOf(name) }
