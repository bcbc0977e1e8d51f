package lint

// Bounds of work and of messages.
const (
	// maxSteps bounds the comparisons of the rules of groups in a file.
	maxSteps = 4_000_000

	// maxRelated is how many related lines of one finding are listed.
	maxRelated = 20
)
