package lint

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

var rxBlockedResources = check{Entry: &Entry{
	Code: "RX223", Name: "blocked-resources", Severity: Info,
	Profiles: map[Profile]Severity{Production: Warning},
	Once:     Info,
	Title:    "Search engines may not load files that pages need.",
	Why:      "Search engines load the CSS and JavaScript of a page, draw it, and judge what they see. Without these files, text can be missing, and the page can look broken on phones. So Google advises you not to block them. Rules about images or fonts alone, for example, are reported in profile production and with --pedantic.",
	Bad:      "User-agent: *\nDisallow: /js/\nDisallow: /search\n",
	Good:     "User-agent: *\nDisallow: /search\n",
}}

type resources struct {
	what  string   // for the message
	files []string // typical names, relative to their folder
	doubt doubt
}

// doubt is how unsure it is that files are for drawing the pages of the site. Of several rules the surest is reported.
type doubt uint8

const (
	certain   doubt = iota
	elsewhere       // those of a program in another folder, which makes a part of the pages
	unsure          // the folder might contain something else
	byName          // only a common name says what it contains
)

var (
	styles  = resources{what: "CSS", files: []string{"main.css"}}
	scripts = resources{what: "JavaScript", files: []string{"main.js"}}
	both    = resources{what: "CSS and JavaScript", files: []string{"main.css", "main.js"}}
	fonts   = resources{what: "fonts", files: []string{"main.woff2"}}
	images  = resources{what: "images", files: []string{"main.png", "main.jpg"}, doubt: unsure}
	static  = resources{what: "files such as CSS and JavaScript", files: []string{"main.css", "main.js"}, doubt: unsure}
)

// versioned are files whose names have a query, as programs such as WordPress write them, so
// that browsers fetch a new version.
var versioned = resources{what: "CSS and JavaScript with a version, such as style.css?ver=1,", files: []string{"style.css?ver=1", "main.js?ver=1"}}

var openCart = resources{what: "CSS and JavaScript", files: []string{"view/javascript/common.js", "view/theme/default/stylesheet/stylesheet.css"}}

var wordPress = resources{what: "CSS and JavaScript", files: []string{"themes/main/style.css", "plugins/main/main.js"}}

func maybe(r resources) resources { return r.with(unsure) }

// with returns resources with at least some doubt.
func (r resources) with(d doubt) resources {
	r.doubt = max(r.doubt, d)
	return r
}

var resourceEndings = map[string]resources{
	"css": styles, "js": scripts, "mjs": scripts, "woff": fonts, "woff2": fonts, "ttf": fonts,
	"png": images, "jpg": images, "jpeg": images, "gif": images, "webp": images, "svg": images,
}

var resourceFolders = map[string]resources{
	"css": styles, "styles": styles, "stylesheet": styles, "stylesheets": styles, "style": maybe(styles),
	"js": scripts, "javascript": scripts, "javascripts": scripts, "script": maybe(scripts), "scripts": maybe(scripts),
	"font": fonts, "fonts": fonts, "webfonts": fonts,
	"image": images, "images": images, "img": images, "imgs": images,
	"static": static, "assets": static, "dist": static, "_nuxt": both, "_next": both,
	"webresource.axd": scripts, "scriptresource.axd": scripts,
}

// resourcePaths are folders of well-known programs. A folder without a mark belongs to the
// program in any file.
var resourcePaths = map[string][]struct {
	mark      string // a path that files for the program also have
	resources resources
}{
	"wp-includes":         {{"", both}},
	"wp-content":          {{"", wordPress}},
	"wp-content/themes":   {{"", both}},
	"wp-content/plugins":  {{"", both}},
	"wp-content/cache":    {{"", maybe(both)}}, // plugins put merged files there
	"_next/static":        {{"", both}},
	"skin":                {{"", both}},
	"skins":               {{"", both}},
	"typo3temp":           {{"", both}},
	"misc":                {{"profiles", both}}, // Drupal
	"core":                {{"profiles", both}},
	"sites/default/files": {{"", both}}, // with merged files in css and js
	"themes":              {{"profiles", both}},
	"modules":             {{"profiles", both}, {"classes", both}}, // Drupal, PrestaShop
	"catalog":             {{"system", openCart}},
	"templates":           {{"administrator", both}}, // Joomla
	"media":               {{"administrator", both}},
	"portals":             {{"desktopmodules", both}}, // DotNetNuke
	"desktopmodules":      {{"portals", both}, {"app_code", both}},
	"resources":           {{"desktopmodules", both}},
}

// namedFor are folders of the site's root that mostly contain its design. Below another folder they might contain
// anything.
var namedFor = []string{"layouts", "templates", "themes"}

// program is what the rules that a crawler follows show about the program that makes the site's pages.
type program struct {
	rules   robotstxt.Rules
	folders map[string]bool // see isAbout; nil until it is needed
	opens   *bool           // see opensResources; nil until it is needed
	asked   int             // see opensBelow
}

// layouts are files of pages in the layouts of well-known programs. An Allow for one of them opens what pages need.
var layouts = [...]string{
	"/css/main.css", "/js/main.js", "/assets/main.css", "/assets/main.js", "/static/main.css", "/static/main.js", "/style.css",
	"/wp-content/themes/main/style.css", "/wp-includes/js/main.js", "/_next/static/css/main.css", "/_nuxt/main.js",
	"/skin/main/main.css", "/themes/main/main.css", "/templates/main/css/main.css", "/sites/default/files/css/main.css",
	"/main.css", "/main.js", "/css/main.css?ver=1", "/media/main.css", "/dist/main.js", "/build/main.js", "/cdn/main.css",
}

type blockedRule struct {
	line  int
	what  string
	doubt doubt
}

// inspectResources looks for rules that block what pages need to be drawn. Each question takes
// time in proportion to the number of rules, so only some rules are looked at.
func inspectResources(d *document) {
	if len(d.groups) == 0 {
		return
	}
	main := d.robots.Rules(d.audience.tokens...)
	if d.inspectDrawing(main, d.audience.tokens) || len(d.groups) == 1 {
		return
	}
	for i, token := range d.audience.others {
		rules := d.robots.Rules(token)
		if rules.Agent() != main.Agent() && d.inspectDrawing(rules, d.audience.others[i:i+1]) {
			return
		}
	}
	if rules := d.robots.Rules(); rules.Agent() != main.Agent() {
		d.inspectDrawing(rules, nil)
	}
}

// inspectDrawing reports the files of pages that rules block for some crawlers, and whether it does.
func (d *document) inspectDrawing(obeyed robotstxt.Rules, tokens []string) bool {
	found := d.blockedFor(obeyed)
	if len(found) > 0 {
		findBlocked(d, found, tokens)
	}
	return len(found) > 0
}

// blockedFor returns the rules that block files of pages for a crawler that obeys some rules.
func (d *document) blockedFor(obeyed robotstxt.Rules) (found []blockedRule) {
	const most = 50
	if allowed, _ := obeyed.Verdict("/"); !allowed {
		return nil // nothing is drawn anyway
	}
	program := program{rules: obeyed}
	tried := 0
	all := d.config.Profile == Production || d.config.Pedantic
	closing := 0 // the first line that closes everything
	for r := range rulesOf(obeyed) {
		if r.Allow || d.line(r.Line).reason == inTemplate {
			continue
		}
		if d.matchesAll(r.Pattern) {
			closing = cmp.Or(closing, r.Line)
			continue
		}
		kind, ok := program.resourcesOf(r.Pattern)
		minor := kind.what == images.what || kind.what == fonts.what ||
			kind.what == scripts.what && isInForeignFolder(r.Pattern)
		if !ok || minor && !all {
			continue
		}
		tried++
		if tried > most {
			break
		}
		files := program.blockedFiles(r.Pattern, kind)
		if kind.what == static.what && len(files) < len(kind.files) && !all {
			continue // an Allow opens what pages need, wherever the rest of it is
		}
		if 0 < len(files) && len(files) < len(kind.files) {
			kind.what = resourceEndings[strings.TrimPrefix(path.Ext(files[0]), ".")].what
		}
		if len(files) > 0 && !program.opensNameOf(r.Pattern) && (all || !d.isInClosed(&program, r.Pattern)) {
			found = append(found, blockedRule{r.Line, kind.what, kind.doubt})
		}
	}
	if closing > 0 && d.openedFolders(obeyed) >= minAllowList && !slices.ContainsFunc(layouts[:], obeyed.Allowed) {
		found = append(found, blockedRule{closing, both.what, unsure})
	}
	return found
}

func findBlocked(d *document, rules []blockedRule, tokens []string) {
	slices.SortStableFunc(rules, func(a, b blockedRule) int { return cmp.Compare(a.doubt, b.doubt) })
	who, it := "Search engines", "they"
	switch l := d.line(rules[0].line); {
	case len(tokens) > 0 && !isMainOf(d, tokens) && d.groups[l.group].forAll:
		who = closedTo(d, tokens, false)
	case len(tokens) > 0:
		who, it = tokens[0], "it"
	case len(d.audience.tokens) > 0:
		who += " that follow the group for *"
	}
	l := d.line(rules[0].line)
	f := d.findValue(rxBlockedResources.infoIf(rules[0].doubt >= unsure), l, "%s may not load %s from %s, so %s can see incomplete pages.", who, rules[0].what, quote(l.value()), it)
	f.For = slices.Clone(tokens[:min(1, len(tokens))])
	for _, r := range rules[1:min(len(rules), 1+MaxRelated)] {
		f.Related = append(f.Related, Related{r.line, "this line blocks such files too"})
	}
}

func blocks(obeyed robotstxt.Rules, path string) bool {
	allowed, line := obeyed.Verdict(path)
	return !allowed && line > 0
}

// folderOf returns a pattern without the slashes, stars and the final '$' around it.
func folderOf(pattern string) string { return strings.Trim(strings.TrimSuffix(pattern, "$"), "*/") }

// opensNameOf reports whether an Allow is about the name of a folder without its slash, as in "Allow: /api/js" next to
// "Disallow: /api/js/". Then the author knows what is in the folder.
func (p *program) opensNameOf(folder string) bool {
	name, isFolder := strings.CutSuffix(folder, "/")
	return isFolder && anyRule(p.rules, func(r robotstxt.Rule) bool {
		return r.Allow && strings.TrimRight(r.Pattern, "?*") == name
	})
}

// isInClosed reports whether the pages next to a folder are closed too, by a rule that is not about
// files of pages. Then that rule is the one that counts.
func (d *document) isInClosed(p *program, folder string) bool {
	parent := folder[:1+strings.LastIndexByte(strings.TrimRight(folder, "/*$"), '/')]
	open, line := p.rules.Verdict(exemplar(parent))
	if open || line == 0 {
		return false
	}
	_, files := p.resourcesOf(d.ruleOf(d.line(line)).Pattern)
	return !files
}

// isAbout reports whether a rule is about a folder, in lower case.
func (p *program) isAbout(folder string) bool {
	if p.folders == nil {
		p.folders = map[string]bool{}
		for r := range rulesOf(p.rules) {
			p.folders[ascii.ToLower(folderOf(r.Pattern))] = true
		}
	}
	return p.folders[folder]
}

func (p *program) resourcesOf(pattern string) (resources, bool) {
	var room [128]byte // on the stack
	folder := ascii.View(appendLower(room[:0], folderOf(pattern)))
	if strings.HasPrefix(folder, "cdn-cgi/") {
		return resources{}, false // Cloudflare's own pages
	}
	// A pattern such as "/*?" is about all files with a version in their query; "/?" is about
	// the home page.
	if folder == "?" {
		before, _, _ := strings.Cut(pattern, "?")
		return versioned, strings.Contains(before, "*") && !p.opensResources() &&
			!p.isAbout("catalogsearch") // Magento has the version in the path
	}
	// A pattern such as "/*.css" or "*.js?" is about all files with that ending. "/.css" without a
	// star is not: no file has such a name.
	name := strings.TrimSuffix(folder, "?")
	if ending, isEnding := strings.CutPrefix(name, "."); isEnding {
		before, _, _ := strings.Cut(pattern, ".")
		kind, ok := resourceEndings[ending]
		return kind, ok && strings.HasSuffix(before, "*")
	}
	// A pattern such as "/includes/*.js" is about the files of a folder.
	if _, ending, found := strings.Cut(name, "/*."); found {
		kind, ok := resourceEndings[ending]
		return maybe(kind), ok
	}
	for below, more := folder, true; more; _, below, more = strings.Cut(below, "/") { // a program can be in a folder
		doubt := choose(below == folder, certain, elsewhere)
		for _, known := range resourcePaths[below] {
			if known.mark == "" || p.isAbout(strings.TrimSuffix(folder, below)+known.mark) {
				return known.resources.with(doubt), true
			}
		}
	}
	parent, base := path.Split(folder)
	if parent == "" && slices.Contains(namedFor, base) {
		return both.with(byName), base != "layouts" || !p.isAbout("administrator") // in Joomla these are programs
	}
	if base == "scripts" && p.isAbout(parent+"profiles") {
		return resources{}, false // in Drupal they are programs for the server
	}
	kind, ok := resourceFolders[base]
	if !ok && strings.ContainsAny(base, "-_") && !strings.Contains(base, ".") {
		isSign := func(r rune) bool { return r == '-' || r == '_' }
		isStatic := func(word string) bool { return resourceFolders[ascii.ToLower(word)].what == static.what }
		kind, ok = static, slices.ContainsFunc(strings.FieldsFunc(path.Base(folderOf(pattern)), isSign), isStatic)
	}
	if (kind.what == static.what || base == "style") && strings.Trim(parent, "/*") != "" {
		return resources{}, false // below a folder such as pdfs it might contain anything, and style can be a subject
	}
	return kind, ok
}

// foreignFolders contain programs for the pages of other sites, or programs that draw nothing.
// Every shop at Shopify has wpm.
var foreignFolders = []string{"ads", "analytics", "api", "login", "paywall", "rest", "sdk", "tracking", "wpm"}

func isInForeignFolder(pattern string) bool {
	for folder := range strings.SplitSeq(pattern, "/") {
		if slices.Contains(foreignFolders, ascii.ToLower(folder)) {
			return true
		}
	}
	return false
}

func (p *program) opensResources() bool {
	if p.opens != nil {
		return *p.opens
	}
	opens := anyRule(p.rules, func(r robotstxt.Rule) bool {
		words := strings.FieldsFunc(strings.ToLower(r.Pattern), func(c rune) bool { return strings.ContainsRune("/*.?$-_", c) })
		return r.Allow && slices.ContainsFunc(words, func(word string) bool {
			parameter, _, found := strings.Cut(word, "=")
			return isResourceWord(word) || found && slices.Contains(versions, parameter)
		})
	})
	p.opens = &opens
	return opens
}

func isResourceWord(word string) bool {
	_, ending := resourceEndings[word]
	_, folder := resourceFolders[word]
	return ending || folder || slices.Contains([]string{"wp", "core", "themes", "modules", "templates", "public", "layouts", "build", "ver", "v"}, word)
}

var versions = []string{"v", "ver", "version", "build", "rev", "hash"}

// blockedFiles returns the files of a kind that a pattern matches of which rules block most.
func (p *program) blockedFiles(pattern string, kind resources) []string {
	obeyed := p.rules
	blocked := func(isBlocked func(file string) bool) []string {
		return slices.DeleteFunc(slices.Clone(kind.files), func(file string) bool { return !isBlocked(file) })
	}
	if kind.what == versioned.what {
		return blocked(func(file string) bool { return blocks(obeyed, "/"+file) })
	}
	path := strings.TrimSuffix(pattern, "$")
	ending := strings.Trim(path, "*/?")
	path = strings.ReplaceAll(strings.TrimRight(path, "*"), "*", "main")
	path = choose(strings.HasPrefix(path, "/"), "", "/") + path
	switch {
	case strings.Contains(ending, "*."), strings.HasPrefix(ending, "."), strings.HasSuffix(strings.ToLower(ending), ".axd"):
		return blocked(func(string) bool { return blocks(obeyed, path) })
	case !strings.HasSuffix(path, "/"):
		path += "/"
	}
	return blocked(func(file string) bool {
		_, ending, _ := strings.Cut(file, ".")
		return blocksBelow(obeyed, path, file) && blocksBelow(obeyed, path+ending+"/", file) && !p.opensBelow(path, ending)
	})
}

// opensBelow reports whether an Allow opens a folder for files with an ending. The folder is in
// another one, or in a folder of it, such as a theme's.
func (p *program) opensBelow(above, ending string) bool {
	const most = 500 // questions about a path: each takes time in proportion to the number of rules
	return anyRule(p.rules, func(r robotstxt.Rule) bool {
		below, found := strings.CutPrefix(r.Pattern, above)
		parent, base := path.Split(strings.Trim(below, "*/"))
		isSuch := func(file string) bool { return path.Ext(file) == "."+ending }
		opens := slices.ContainsFunc(resourceFolders[ascii.ToLower(base)].files, isSuch)
		if !found || !r.Allow || !opens || strings.Count(parent, "/") > 1 || parent == "uploads/" || p.asked == most {
			return false
		}
		p.asked++
		return p.rules.Allowed(exemplar(strings.TrimRight(r.Pattern, "*/") + "/main." + ending))
	})
}

// blocksBelow reports whether rules block most files of a folder: a typical one in it and in folders below, without and
// with a version in its query. An Allow of one of these forms opens nearly all such files. A file with a folder is a
// certain one.
func blocksBelow(obeyed robotstxt.Rules, folder, file string) bool {
	if strings.Contains(file, "/") {
		return blocks(obeyed, folder+file)
	}
	near, far := folder+"main/"+file, folder+"main/lib/"+file
	inNear, inFar := blocks(obeyed, near), blocks(obeyed, far)
	most := inNear && inFar || (inNear || inFar) && blocks(obeyed, folder+file)
	const version = "?ver=1"
	return most && (blocks(obeyed, near+version) || blocks(obeyed, far+version))
}
