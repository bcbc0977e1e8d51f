package lint

// maxSteps bounds the comparisons of the rules of groups in a file.
const maxSteps = 4_000_000

// MaxRelated is how many places Finding.Related has at most, but for RX208.
const MaxRelated = 20

// Thresholds for noise: below them, lines are mostly as their author wants them. The figures are how many of 3,519 real
// files have the finding in profile google, and how many would have it without the threshold.
const (
	// RX208 as info: rules that others of the same kind make redundant. 77 files.
	minRedundant = 2 // rules; 81
	halfShare    = 2 // at least one in two of the file's rules, 280 with any share; or
	thirdShare   = 3 // one in three, of which one in three has the same reason, 71 without this; or
	minAlike     = 4 // so many with the same reason in any file, 17 without this
	minParked    = 4 // so many of a site that is closed for a while are not counted, 86

	// RX211: short paths. 34 files.
	minExceptions = 3 // Allow lines that make a list of longer paths; 35
	minShortPaths = 3 // a list of short paths; 37
	longParameter = 4 // letters of a parameter that is meant to match those of campaigns, as in /*clid=; 35

	// RX307 and RX223: folders that an Allow opens in a closed site.
	minOpened    = 3 // then it is meant: 13 files have a warning of RX307, 16 without
	minAllowList = 2 // then pages are opened without their files: 319 files have RX223, 323

	// outdatedShare is the share of the lines for * that a group repeats if it looks like an outdated copy: RX311 is a
	// warning in 44 files with one in two, in 98 with any, and in none if all are needed.
	outdatedShare = 2

	// minParameters is how many parameters RX224 needs if they have a value or one letter: 211 files, and 235.
	minParameters = 3

	// minParts is how many parts of the site a group closes before RX306 asks about a group for * that closes none.
	// 3 files, and 22.
	minParts = 3

	// minTraining is how many of the large AI training crawlers a file closes by name before RX313 asks about the
	// others, and minTrainingNoted the same if a comment speaks of AI: 98 files, and 256; without the comment 95.
	minTraining, minTrainingNoted = 3, 2

	// minRefused is how many of them a file closes before RX514 says that it permits training: no file in any case.
	minRefused = 3

	// longDelay is the number of seconds above which RX506 reports a delay: 8 files, and 293.
	longDelay = 60

	// bareCRShare is the share of lines that end in CR alone before RX414 reports them: 2 files, and 5.
	bareCRShare = 2

	// codeShare of codeShare+1 lines end as those of a stylesheet before RX401 says that the file is one; one in two
	// yields no others.
	codeShare = 3
)
