package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
)

// flagKind says what the value of a flag is, where its type does not. The zero value is for a text without parts.
type flagKind struct {
	// elements returns the parts of a list, none of which may be empty. It is nil if the value is not a list.
	elements func(text string) []string

	// file returns the file or folder that a value names, "" for none. It is nil if no value names one: there
	// can be a file that is called like a host.
	file func(text string) string

	// isOutput is true if the command writes the file, or a new folder. Flags such as --into, which replace the
	// file that they read, name inputs.
	isOutput bool

	// keeps reports which files in a folder robots keeps or reads, by their names without it. If it is nil,
	// robots reads robots.txt files in folders.
	keeps func(base string) bool

	// standard returns the folder if the flag is not set, by the value that it has then, "" for none. It is nil
	// if there never is one.
	standard func(unset string) string
}

// flagKinds has the kind of each flag with a value, by its name, or by "COMMAND NAME" if other commands have a flag of
// that name with another kind.
var flagKinds = map[string]flagKind{}

func init() {
	for _, row := range []struct {
		kind  flagKind
		names string // separated by commas
	}{
		{flagKind{file: wholeText, isOutput: true}, "addresses-out,atom,bodies-out,changes-out,crawlers-out,hits-out,junit,names-out,out,report,sites-out"},
		{flagKind{file: wholeText}, "baseline,before,config,expect,file,form-key-file,host-names,hosts,html,inputs,inputs-base,into,sitemap,sites,tdmrep," +
			"token-file,urls,warc,webhook-secret"},
		{flagKind{file: afterAt}, "header,webhook"},
		{flagKind{file: beforeColumn}, "strata,weights"},
		{flagKind{file: wholeText, isOutput: true}, "dir,evidence,export"}, // folders
		{flagKind{file: wholeText, keeps: everyFile}, "evidence-check,lists,parts"},
		{flagKind{file: cacheFolder, keeps: isOfCache, standard: cacheOfUnset}, "cache"},
		{flagKind{file: wholeText, keeps: isOfHistory, standard: historyOfUnset}, "history history,import history,watch history"},
		{flagKind{file: wholeText, keeps: isOfHistory}, "history"},
		{flagKind{elements: byCommas}, "agent,allow-ports,allow-range,crawler,map,minimize dialect,nat64,only,trusted-proxies,trusted-proxy"},
		{flagKind{elements: asCSV}, "columns,host,ignore,operator,purpose,severity,signals"},
		{flagKind{elements: beforePath}, "no,yes"},
		{flagKind{elements: namesOfSite}, "visits site"},
		{flagKind{}, "admin,assume,at,by,client-connections,client-fetch-rate,client-rate,color,column,concurrency,confirm,deploy-lag," +
			"dialect,drain-delay,drain-timeout,eol,every,exclude,exec,explain,fail-on,fix,format,git,group-by,idle-timeout,lang,limit,listen," +
			"log,log-format,logs-since,max-connections,max-fetches,max-memory,new-dialect,old-dialect,origin,origin-interval," +
			"permit operator,policy,probe,profile,proxy,rate,request-memory,response-header,schema,served-since,shard,since,site," +
			"site-cache,steps,timeout,timezone,top,until,url,urls-format,user-agent"},
	} {
		for name := range strings.SplitSeq(row.names, ",") {
			flagKinds[name] = row.kind
		}
	}
}

// kindOf returns the kind of a flag of a command.
func kindOf(command, flag string) flagKind {
	if kind, ok := flagKinds[command+" "+flag]; ok {
		return kind
	}
	return flagKinds[flag]
}

func wholeText(text string) string { return text }

// afterAt returns the file of a value such as @FILE, which can be a text instead.
func afterAt(text string) string {
	name, isFile := strings.CutPrefix(text, "@")
	if !isFile {
		return ""
	}
	return name
}

// beforeColumn returns the file of FILE.csv:COLUMN.
func beforeColumn(text string) string {
	colon := strings.LastIndexByte(text, ':')
	return text[:max(colon, 0)]
}

func cacheFolder(text string) string {
	if text == string(cacheNone) || sites.IsStoreServer(text) {
		return ""
	}
	return text
}

// cacheOfUnset returns the default folder of the cache, see package disk.
func cacheOfUnset(unset string) string {
	caches, err := os.UserCacheDir()
	if unset != string(cacheOfUser) || err != nil {
		return ""
	}
	return filepath.Join(caches, "robotstxt")
}

func historyOfUnset(string) string {
	folder, err := historyFolder("")
	if err != nil {
		return "" // the command reports it
	}
	return folder
}

func everyFile(string) bool { return true }

// isOfCache reports whether a file is one of a cache, see package disk.
func isOfCache(base string) bool { return strings.HasPrefix(base, "robots-cache.") }

// isOfHistory reports whether a file is one of the databases in a history's folder. The folder can have other
// files too, because a service may have one folder to write to.
func isOfHistory(base string) bool {
	return strings.HasPrefix(base, historyFile) || strings.HasPrefix(base, watch.FileName)
}

func byCommas(text string) []string { return strings.Split(text, ",") }

// asCSV returns the elements of a list that package pflag reads: they can be in quotes.
func asCSV(text string) []string {
	elements, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil {
		return byCommas(text) // pflag refuses it too
	}
	return elements
}

// beforePath returns the elements of NAME,...[=PATH]. A path can contain commas.
func beforePath(text string) []string {
	names, _, _ := strings.Cut(text, "=")
	return byCommas(names)
}

// namesOfSite returns the names in URL[=NAME,...].
func namesOfSite(text string) []string {
	_, names, hasNames := strings.Cut(text, "=")
	if !hasNames {
		return nil
	}
	return byCommas(names)
}

// valuesOf returns the values of a flag.
func valuesOf(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}
