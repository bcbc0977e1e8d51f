package permission

import "github.com/kosterhq/robotstxt/crawlers"

// informalRules are rules of robots tags that no organisation defines (DeviantArt, 2022).
// Question.Formal leaves them out.
var informalRules = map[string]tagEffect{
	"noai":      {purposes: []crawlers.Purpose{aiTraining}, says: SaysNo, honouredBy: []string{"img2dataset"}},
	"noimageai": {purposes: []crawlers.Purpose{aiTraining}, says: SaysLimit, honouredBy: []string{"img2dataset"}}, // the images of the page
}
