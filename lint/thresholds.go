package lint

// Bounds of work and of messages.
const (
	// maxSteps bounds the comparisons of the rules of groups in a file.
	maxSteps = 4_000_000

	// minParameters is how many parameters make RX224: a file with one or two mostly has no others.
	minParameters = 3

	// minTraining is how many of the large AI training crawlers a file closes by name before RX313 asks about the
	// others, and minTrainingNoted the same if a comment speaks of AI.
	minTraining, minTrainingNoted = 3, 2

	// maxRelated is how many related lines of one finding are listed.
	maxRelated = 20
)
