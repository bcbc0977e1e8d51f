package editor

// KeyNames are the keys that completion offers.
func KeyNames() (names []string) {
	for _, k := range keys {
		names = append(names, k.name)
	}
	return names
}
