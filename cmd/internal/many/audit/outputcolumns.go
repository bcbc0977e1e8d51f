package audit

import (
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/semdiff"
)

// The rows. The tables of files and crawlers begin with the place of the file. The structs repeat its fields,
// because each field is a column. A column that can be null is a pointer. The tag parquet has the
// name of a column in all formats, and doc its description for Schema.

// Millis is a time in milliseconds since 1970, as tables store it.
type Millis int64

// millisOf returns a time, 0 if it is not known.
func millisOf(at time.Time) Millis {
	if at.IsZero() {
		return 0
	}
	return Millis(at.UnixMilli())
}

// Time returns the time, in UTC.
func (m Millis) Time() time.Time { return time.UnixMilli(int64(m)).UTC() }

// File is the row of a file.
type File struct {
	Input     string          `parquet:"input,dict" doc:"the folder, archive or list that contains the file"`
	Record    string          `parquet:"record" doc:"the place in the input: a path in it, the line, or the offset of the record"`
	Host      string          `parquet:"host" doc:"the host, with its port if it is not the default one; empty if it is not known"`
	FetchedAt *Millis         `parquet:"fetched_at,optional,timestamp(millisecond)" doc:"when the file was fetched"`
	URL       *string         `parquet:"url,optional" doc:"the URL of the file as the input has it"`
	Status    *int32          `parquet:"status,optional" doc:"the HTTP status; null for files that were not fetched"`
	Problem   *string         `parquet:"problem,optional,dict" doc:"why nothing is known about the file: damaged, truncated, revisit, redirect, undecodable, no answer, internal; null if it was read"`
	Detail    *string         `parquet:"detail,optional" doc:"the problem in words, or why the site is open or closed if the status does not show it"`
	Outcome   *wire.Outcome   `parquet:"outcome,optional,dict" doc:"rules if the file decides; allow-all or disallow-all if the policy does, for an answer without a usable file"`
	Body      *robotstxt.Body `parquet:"body,optional,dict" doc:"what the file looks like: text, html, empty or binary"`
	Size      *int64          `parquet:"size,optional" doc:"bytes of the file that were read, at most the limit of 512,000"`
	Cut       *bool           `parquet:"cut,optional" doc:"true if the file is longer than the limit"`
	Digest    *string         `parquet:"digest,optional" doc:"SHA-256 of the bytes that were read, in hexadecimal"`

	Groups        *int32  `parquet:"groups,optional" doc:"groups in the file"`
	Rules         *int32  `parquet:"rules,optional" doc:"Allow and Disallow lines in groups"`
	Sitemaps      *int32  `parquet:"sitemaps,optional" doc:"Sitemap lines"`
	ContentSignal *string `parquet:"content_signal,optional" doc:"the values of the Content-Signal lines, joined by \" | \""`
	ContentUsage  *string `parquet:"content_usage,optional" doc:"the values of the Content-Usage lines, joined by \" | \""`
	License       *string `parquet:"license,optional" doc:"the values of the License lines, joined by \" | \""`

	LintErrors   *int32  `parquet:"lint_errors,optional" doc:"findings of severity error; null without --lint"`
	LintWarnings *int32  `parquet:"lint_warnings,optional" doc:"findings of severity warning; null without --lint"`
	LintCodes    *string `parquet:"lint_codes,optional" doc:"the codes of the findings, each once, separated by spaces; null without --lint"`

	Redirect *string `parquet:"redirect,optional" doc:"the URL that a redirect leads to, if the input has it"`
	Crawl    *string `parquet:"crawl,optional,dict" doc:"the label of the input; null without one"`

	Position *int64 `parquet:"position,optional" doc:"orders files without a time: if a site has two, the file with the higher number is counted"`

	PayloadDigest *string `parquet:"payload_digest,optional" doc:"the digest of the body in a web archive, as its record has it"`
	RefersTo      *string `parquet:"refers_to,optional" doc:"for a revisit: the URL of the record that it repeats"`
	RefersAt      *Millis `parquet:"refers_at,optional,timestamp(millisecond)" doc:"for a revisit: the time of the record that it repeats"`

	Names *string `parquet:"names,optional" doc:"a line for each name in User-agent lines, with how much of the site its groups open in the Google dialect: closed, partly, open or unknown; null without --names-out"`
}

// Crawler is the row of a file and a crawler.
type Crawler struct {
	Input      string               `parquet:"input,dict" doc:"the folder, archive or list that contains the file"`
	Record     string               `parquet:"record,dict" doc:"the place in the input: a path in it, the line, or the offset of the record"`
	Host       string               `parquet:"host,dict" doc:"the host, with its port if it is not the default one; empty if it is not known"`
	FetchedAt  *Millis              `parquet:"fetched_at,optional,dict,timestamp(millisecond)" doc:"when the file was fetched"`
	Body       *robotstxt.Body      `parquet:"body,optional,dict" doc:"what the file looks like, as in the table of files"`
	Digest     *string              `parquet:"digest,optional,dict" doc:"SHA-256 of the bytes that were read, in hexadecimal"`
	Crawler    string               `parquet:"crawler,dict" doc:"the crawler in the notation of --agent"`
	MatchedBy  *robotstxt.MatchedBy `parquet:"matched_by,optional,dict" doc:"how its groups were found, in the dialect of the row: name by its own token, fallback by a token to which it falls back because no line has its own, star by *, or none; null if the status decides"`
	Access     *semdiff.Extent      `parquet:"access,optional,dict" doc:"how much of the site it may fetch: open, closed or partly, proved, or depends if that differs between the two dialects; null if no line can name the crawler, if it is undecided, not known, or with --exact=false needs a proof"`
	Home       *bool                `parquet:"home,optional" doc:"whether it may fetch the home page, in the dialect of the row"`
	Samples    *int32               `parquet:"samples,optional,dict" doc:"how many of the URLs of --urls it may fetch, in the dialect of the row; null without --urls"`
	CrawlDelay *float64             `parquet:"crawl_delay,optional,dict" doc:"seconds between two requests; null if the file sets none"`
	Dialect    *string              `parquet:"dialect,optional,dict" doc:"how the crawler reads the file: google, rfc9309 or koster1996; null if no line can name it"`
	Other      *string              `parquet:"other_dialect,optional,dict" doc:"how it might read the file instead, if no source states how it reads files"`
	Line       *int32               `parquet:"line,optional,dict" doc:"the line that decides: the rule that closes the site or the part that was found, else the rule that opens the home page; null without one"`
	Rule       *string              `parquet:"rule,optional,dict" doc:"the rule on that line"`
	URL        *string              `parquet:"url,optional,dict" doc:"as in the table of files"`
	Status     *int32               `parquet:"status,optional,dict" doc:"as in the table of files"`
	Problem    *string              `parquet:"problem,optional,dict" doc:"as in the table of files"`
	Outcome    *wire.Outcome        `parquet:"outcome,optional,dict" doc:"as in the table of files"`
	Redirect   *string              `parquet:"redirect,optional,dict" doc:"as in the table of files"`
	Crawl      *string              `parquet:"crawl,optional,dict" doc:"as in the table of files"`
	Position   *int64               `parquet:"position,optional,dict" doc:"as in the table of files"`

	DialectAccess *semdiff.Extent      `parquet:"dialect_access,optional,dict" doc:"if access is depends: the access in dialect"`
	OtherAccess   *semdiff.Extent      `parquet:"other_access,optional,dict" doc:"if access is depends: the access in other_dialect"`
	OtherMatched  *robotstxt.MatchedBy `parquet:"other_matched_by,optional,dict" doc:"if access is depends: how its groups were found in other_dialect"`

	Rest *bool `parquet:"rest,optional" doc:"if access is partly: whether it may fetch the rest of the site, the paths that no rule names; null if its two readings differ about that, and otherwise"`

	PayloadDigest *string `parquet:"payload_digest,optional,dict" doc:"as in the table of files"`
	RefersTo      *string `parquet:"refers_to,optional,dict" doc:"as in the table of files"`
	RefersAt      *Millis `parquet:"refers_at,optional,dict,timestamp(millisecond)" doc:"as in the table of files"`
}

// Body is the row of a file's content, in the third table.
type Body struct {
	Digest string `parquet:"digest" doc:"SHA-256 of the body, in hexadecimal"`
	Body   []byte `parquet:"body,zstd" doc:"the bytes that were read; in CSV and JSON lines in hexadecimal"`
}

// Site is the row of a counted site and a crawler. The columns from url to size describe the capture that decides: the
// site's own, or the one at the end of its redirects.
type Site struct {
	Crawl     *string              `parquet:"crawl,optional,dict" doc:"the label of the crawl; null without one"`
	Site      string               `parquet:"site,dict" doc:"the host, or the site as --by defines it"`
	Stratum   *string              `parquet:"stratum,optional,dict" doc:"the stratum of the site; null without --strata"`
	Class     string               `parquet:"class,dict" doc:"what the site has: text, empty, html or binary for a file; absent if the policy opens the site for an answer without a file, fault if it closes the site for an answer without a usable file; else the problem, such as redirect or no answer"`
	Known     bool                 `parquet:"known" doc:"whether the rules of the site are known, so that the counts include it"`
	Host      string               `parquet:"host,dict" doc:"the host whose capture was counted, with its port if it is not the default one"`
	URL       *string              `parquet:"url,optional,dict" doc:"the URL of the deciding capture; null if the input has none"`
	Input     string               `parquet:"input,dict" doc:"the folder, archive or list that contains the deciding capture"`
	Record    string               `parquet:"record,dict" doc:"the place in the input: a path in it, the line, or the offset of the record"`
	FetchedAt *Millis              `parquet:"fetched_at,optional,dict,timestamp(millisecond)" doc:"when the deciding capture was fetched"`
	Status    *int32               `parquet:"status,optional,dict" doc:"the HTTP status of the deciding capture"`
	Outcome   *wire.Outcome        `parquet:"outcome,optional,dict" doc:"rules if the file decides; allow-all or disallow-all if the policy does, for an answer without a usable file; null if the rules are unknown"`
	Digest    *string              `parquet:"digest,optional,dict" doc:"SHA-256 of the bytes of the file that were read, in hexadecimal"`
	Size      *int64               `parquet:"size,optional,dict" doc:"bytes of the file that were read; null without a file, and for tables of crawlers"`
	Captures  int32                `parquet:"captures,dict" doc:"captures of the site in the crawl, at most 64 of each URL"`
	Hops      int32                `parquet:"hops,dict" doc:"redirects that were followed"`
	Chain     *string              `parquet:"chain,optional,dict" doc:"the captures from the site's own to the deciding one, each with its URL and status: > leads to the next one by a redirect, = to the capture whose file a revisit repeats"`
	Crawler   *string              `parquet:"crawler,optional,dict" doc:"the crawler in the notation of --agent; null if the tables have none"`
	Treatment *string              `parquet:"treatment,optional,dict" doc:"how the site treats the crawler: closed by name, by fallback, by * or by status, mostly closed, mostly open, open, open by status; two of them, such as open or partly, if that depends on the parser; undecided; cannot be named; partly if the table has no column rest, or if the readings of the crawler differ about the rest or, as in open or partly, about the whole; null if the rules are unknown"`
	MatchedBy *robotstxt.MatchedBy `parquet:"matched_by,optional,dict" doc:"as in the table of crawlers"`
	Line      *int32               `parquet:"line,optional,dict" doc:"the line that decides, as in the table of crawlers; null without one"`
	Rule      *string              `parquet:"rule,optional,dict" doc:"the rule on that line"`
	Weight    *float64             `parquet:"weight,optional,dict" doc:"the weight of the site; null without --weights, and if it is not listed"`
}

// Name is the row of a name in User-agent lines.
type Name struct {
	Crawl   *string  `parquet:"crawl,optional,dict" doc:"the label of the crawl; null without one"`
	Stratum *string  `parquet:"stratum,optional,dict" doc:"the stratum of the sites; null for all sites of the crawl"`
	Name    string   `parquet:"name" doc:"the value of User-agent lines up to the first slash, in lower case, up to 200 bytes"`
	Written string   `parquet:"written" doc:"its commonest spelling"`
	Crawler *string  `parquet:"crawler,optional,dict" doc:"the product token of the known crawler with this name; null for other names"`
	Sites   int64    `parquet:"sites" doc:"sites whose file names it, among its first 5,000 names"`
	Closed  int64    `parquet:"closed" doc:"of sites: those whose groups with the name close the whole site, in the Google dialect"`
	Partly  int64    `parquet:"partly" doc:"of sites: those whose groups with the name close a part of the site; closed, partly and open omit names that Google cannot read, and undecided groups"`
	Open    int64    `parquet:"open" doc:"of sites: those whose groups with the name close nothing"`
	Files   int64    `parquet:"files" doc:"sites of the crawl, or of the stratum, with a file that is text or empty"`
	Weight  *float64 `parquet:"weight,optional" doc:"the weights of sites, added up; null without --weights"`
}
