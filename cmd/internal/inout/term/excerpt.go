package term

// ExcerptWidth is the number of columns that are shown of a line from a file.
const ExcerptWidth = 120

// Excerpt returns the beginning of text, escaped and cut to ExcerptWidth columns.
// The text can be large, because only its first bytes are read.
func Excerpt(text string) string {
	return Clip(Escape(text[:min(len(text), 4*ExcerptWidth)]), ExcerptWidth)
}
