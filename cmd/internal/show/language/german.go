package language

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// german has the texts in German. Its values take the verbs of its keys, which can have other places.
var german = map[Text]string{
	// Days and numbers.
	"%d %s %d": "%d. %s %d", "date %s": "Datum %s", "date unknown": "Datum unbekannt",
	"January": "Januar", "February": "Februar", "March": "März", "April": "April", "May": "Mai", "June": "Juni",
	"July": "Juli", "August": "August", "September": "September", "October": "Oktober", "November": "November", "December": "Dezember",
	"byte": "Byte", "bytes": "Byte",

	// Lists and effects.
	"%s and %s": "%s und %s", "%s and %s more": "%s und %s weitere", "%s more": "%s weitere",
	"at least %s more": "mindestens %s weitere", "perhaps others": "vielleicht weitere",
	"opens %s": "öffnet %s", "closes %s": "sperrt %s",
	"the whole site": "die ganze Website", "nearly the whole site": "fast die ganze Website", ", by %s": ", durch %s",
	"all but %s": "alles außer %s", "paths such as %s": "Pfade wie %s", "many paths": "viele Pfade", "paths": "Pfade",
	"it is undecided how much was open before": "wie viel vorher offen war, ist unentschieden",
	"it was %s": "war vorher %s", "it was partly open": "war vorher teilweise offen", "it was %s except %s": "war vorher %s außer %s",
	`"(in part)" means some of the URLs that match the pattern, perhaps not all.`: "„(teilweise)“ heißt: ein Teil der URLs, auf die das Muster passt, vielleicht nicht alle.",
	`"$" at the end of a pattern means that the URL ends there.`:                  "„$“ am Ende eines Musters heißt, dass die URL dort endet.",
	"%s for %s%s.": "%s für %s%s.", "And %s for other crawlers.": "Und %s für andere Crawler.", "more effect": "weitere Wirkung", "more effects": "weitere Wirkungen",
	"%s that begin with %s": "%s, die mit %s beginnen", "%s (except %s)": "%s (außer %s)", "%s (in part)": "%s (teilweise)",

	// Uses of a page.
	"fetch the page": "die Seite abrufen", "list in web search": "in der Websuche aufführen", "use in AI answers": "in KI-Antworten verwenden",
	"train AI models": "KI-Modelle trainieren", "fetch for a user's question": "für die Frage eines Nutzers abrufen",
	"text and data mining": "Text und Data Mining", "fetch for a user": "für einen Nutzer abrufen", "link previews": "Linkvorschauen",
	"advertising": "Werbung", "SEO tools": "SEO-Werkzeuge", "public archive": "öffentliches Archiv", "feeds": "Feeds",
	"monitoring of the site": "Überwachung der Website", "security checks": "Sicherheitsprüfungen", "media monitoring": "Medienbeobachtung",
	"copies for a user": "Kopien für einen Nutzer", "programs of any purpose": "Programme für jeden Zweck", "data for sale": "Daten zum Verkauf",
	"other purposes": "andere Zwecke", "unknown purpose": "unbekannter Zweck",

	// Answers.
	"permitted": "erlaubt", "refused": "verweigert", "ask the owner": "den Inhaber fragen", "nothing said": "nichts gesagt",
	"not known": "nicht bekannt", "may fetch": "darf abrufen", "may not fetch": "darf nicht abrufen", "reserved": "vorbehalten",
	"%s by what was read":          "%s, soweit die Datei gelesen wurde",
	"the crawler does not do this": "der Crawler tut das nicht", "no line can name it": "keine Zeile kann ihn nennen",
	"robots.txt is not known": "die robots.txt ist nicht bekannt", "nothing refuses or permits it": "nichts verweigert oder erlaubt es",
	"no line refuses or permits it": "keine Zeile verweigert oder erlaubt es", "no line refuses it": "keine Zeile verweigert es",
	"open": "offen", "closed": "gesperrt", "undecided": "unentschieden", "open except %s": "offen außer %s", "closed except %s": "gesperrt außer %s",
	"depends on the parser": "hängt vom Parser ab", "not known: no answer": "nicht bekannt: keine Antwort", "not known: cannot be named": "nicht bekannt: nicht benennbar",
	"the empty token": "der leere Name",

	// Places and signals.
	"on line %d of robots.txt": "in Zeile %d der robots.txt", "on lines %s of robots.txt": "in den Zeilen %s der robots.txt",
	"on line %d of the page": "in Zeile %d der Seite", "at byte %d of the page": "bei Byte %d der Seite",
	"in the response field %s": "im Antwortfeld %s", "in the response field %s number %d": "im Antwortfeld %s Nummer %d",
	"in entry %d of %s": "in Eintrag %d von %s", "the file": "der Datei", "in %s": "in %s", "in robots.txt": "in der robots.txt",
	"line %d: %s": "Zeile %d: %s", "%s for %s": "%s für %s", "%s, terms: %s": "%s, Bedingungen: %s",
	"%s, but a limit: %s": "%s, aber eine Grenze: %s", "%s, which no standard defines": "%s, was kein Standard festlegt", "%s (our reading)": "%s (unsere Lesart)",
	"RSL license": "RSL-Lizenz", "meta element": "Meta-Element", "Content-Usage": "Content-Usage", "Content-Signal": "Content-Signal", "TDMRep": "TDMRep",

	// The table for one URL.
	"governed by %s": "maßgeblich ist %s", "use": "Nutzung", "answer": "Antwort", "because": "weil", "crawler": "Crawler",
	"*": "*", "any crawler that follows the group for *; known crawlers with another answer have their own rows": "jeder Crawler mit der Gruppe für *; bekannte Crawler mit anderer Antwort haben eigene Zeilen",
	"not without the owner's consent: ask, or get a license":        "nicht ohne Zustimmung des Inhabers; fragen Sie, oder erwerben Sie eine Lizenz",
	"neither refused nor permitted":                                 "weder verweigert noch erlaubt",
	"no line can name the crawler, or robots.txt could not be read": "keine Zeile kann den Crawler nennen, oder die robots.txt war nicht zu lesen",
	"our reading": "unsere Lesart",
	"no specification says what the signal means here":                                              "keine Spezifikation legt fest, was das Signal hier bedeutet",
	"answers that an AI writes from pages it finds":                                                 "Antworten, die eine KI aus gefundenen Seiten schreibt",
	"an AI fetches the page because a user asks about it; only the rules of robots.txt apply to it": "eine KI ruft die Seite ab, weil ein Nutzer danach fragt; nur die Regeln der robots.txt betreffen das",
	"%s (only for %s)": "%s (nur für %s)", "limit for %s: %s": "Grenze für %s: %s", "no effect: %s %s: %s": "ohne Wirkung: %s %s: %s", "missing: %s: %s": "fehlt: %s: %s",
	"%s by %s": "%s durch %s", " and ": " und ", ", but ": ", aber ", "contradiction about %s: %s; %s": "Widerspruch bei %s: %s; %s",
	"no specification says which wins, so the strictest does":                                    "keine Spezifikation legt fest, was gewinnt, also gewinnt das Strengste",
	"if Content-Usage statements differ, the refusal wins (draft-ietf-aipref-vocab section 5.1)": "widersprechen sich Angaben von Content-Usage, gewinnt die Verweigerung (draft-ietf-aipref-vocab, Abschnitt 5.1)",
	"the more specific license wins, then the stricter one (RSL section 4.9)":                    "die genauere Lizenz gewinnt, dann die strengere (RSL, Abschnitt 4.9)",
	"the page wins over the response, and the response over tdmrep.json (TDMRep)":                "die Seite gewinnt gegen die Antwort und die Antwort gegen tdmrep.json (TDMRep)",

	// A letter.
	"Asked on %s. ": "Abgefragt am %s. ",
	"It is not known what %s does: no known crawler in use has this operator and a known purpose. For the rules for all crawlers, ask without an operator.": "Es ist nicht bekannt, was %s tut: Kein bekannter Crawler, der in Gebrauch ist, hat diesen Betreiber und einen bekannten Zweck. Die Regeln für alle Crawler erfahren Sie, wenn Sie ohne Betreiber fragen.",
	"At %s, the site gave no robots.txt (%s), so no line restricts crawlers. ":                                                                              "Beim Abruf (%s) lieferte die Website keine robots.txt (%s), daher schränkt keine Zeile Crawler ein. ",
	"At %s, the site gave no robots.txt (%s), so crawlers may fetch nothing. ":                                                                              "Beim Abruf (%s) lieferte die Website keine robots.txt (%s), daher dürfen Crawler nichts abrufen. ",
	"The rules are not known: %s. Until robots.txt can be read, crawlers may fetch nothing from the site; what it says about uses is not known. ":           "Die Regeln sind nicht bekannt: %s. Bis sich die robots.txt lesen lässt, dürfen Crawler nichts von der Website abrufen; was sie über Nutzungen sagt, ist nicht bekannt. ",
	"The rules are not known: %s. Until robots.txt can be read, crawlers may fetch everything; what it says about uses is not known. ":                      "Die Regeln sind nicht bekannt: %s. Bis sich die robots.txt lesen lässt, dürfen Crawler alles abrufen; was sie über Nutzungen sagt, ist nicht bekannt. ", "The rules are not known: %s. ": "Die Regeln sind nicht bekannt: %s. ",
	"robots.txt fetched at %s": "Abruf der robots.txt: %s", "robots.txt read from %s": "Die robots.txt wurde aus %s gelesen", " (%s, SHA-256 %s). ": " (%s, SHA-256 %s). ",
	". It is longer than the first %s, which were read (SHA-256 of these: %s); lines after them could change the answers. ": ". Sie ist länger als die ersten %s, die gelesen wurden (SHA-256 dieses Teils: %s); Zeilen danach könnten die Antworten ändern. ",
	"It is a web page and has no rules. ": "Sie ist eine Webseite und enthält keine Regeln. ", "It is not text and has no rules. ": "Sie ist kein Text und enthält keine Regeln. ", "It is empty. ": "Sie ist leer. ",
	"robots.txt could not be read, so its rules are not known. ": "Die robots.txt war nicht zu lesen, daher sind ihre Regeln nicht bekannt. ",
	"%s, after a redirect to %s":                                 "%s, nach einer Weiterleitung zu %s",
	"a text":                                                     "einem Text", "Crawlers known on %s.": "Stand der Crawler-Daten: %s.",
	"answer for this page": "Antwort für diese Seite", "decided by": "entschieden durch", "whole site": "ganze Website",
	", no group": ", keine Gruppe", ", all (*)": ", alle (*)", ", its own group": ", eigene Gruppe", ", %s's group": ", Gruppe von %s",
	"What %s says": "Was %s sagt", "%s": "%s", "%s (need not obey)": "%s (ohne Pflicht, sich daran zu halten)",
	"%s: need not obey, or not reliably, according to a public list.":      "%s: laut einer öffentlichen Liste ohne Pflicht, sich daran zu halten, oder nicht zuverlässig.",
	"%s: no text of the operator was found about what a Disallow refuses.": "%s: Ein Text des Betreibers darüber, was ein Disallow verweigert, wurde nicht gefunden.",
	"%s: no source says whether a Disallow is obeyed.":                     "%s: Keine Quelle sagt, ob ein Disallow befolgt wird.",
	"Not read: %s. It could refuse more.":                                  "Nicht gelesen: %s. Dort könnte mehr verweigert sein.",
	"Not read: %s. Each could refuse more.":                                "Nicht gelesen: %s. Überall dort könnte mehr verweigert sein.",
	"Not seen by a crawler that robots.txt keeps from the URL: %s.":        "Nicht gesehen von einem Crawler, den die robots.txt von der URL fernhält: %s.",
	"Nothing said: neither refused nor permitted. Not known: no line can name the crawler, or robots.txt could not be read. This is what the site says; it is not legal advice.": "Nichts gesagt: weder verweigert noch erlaubt. Nicht bekannt: Keine Zeile kann den Crawler nennen, oder die robots.txt war nicht zu lesen. Das sagt die Website; es ist keine Rechtsberatung.",
	"the response": "die Antwort des Servers", "the page": "die Seite",
	"a setting in Search Console, which only the owner sees": "eine Einstellung in der Search Console, die nur der Inhaber sieht",

	// A report on a site.
	"robots.txt of %s": "robots.txt von %s", "Report of %s. Crawlers known on %s.": "Bericht vom %s. Stand der Crawler-Daten: %s.",
	"Closed for %s: %s.": "Gesperrt für %s: %s.", "Closed for no crawler.": "Für keinen Crawler gesperrt.", "Paths are closed for %s.": "Pfade sind gesperrt für %s.", "Found: %s.": "Gefunden: %s.",
	"It is not known what crawlers may fetch: %s.": "Es ist nicht bekannt, was Crawler abrufen dürfen: %s.",
	"Crawlers may fetch everything: %s.":           "Crawler dürfen alles abrufen: %s.", "Crawlers may fetch nothing: %s.": "Crawler dürfen nichts abrufen: %s.",
	"any crawler that follows the group for *": "alle Crawler mit der Gruppe für *",
	"error": "Fehler", "errors": "Fehler", "warning": "Warnung", "warnings": "Warnungen", "note": "Hinweis", "notes": "Hinweise",
	"Status": "Status", "address": "Adresse", "redirects": "Weiterleitungen", "answer of": "Antwort von",
	"%s and not the site, it seems": "%s und wohl nicht von der Website", "fetched": "abgerufen", "meaning": "Bedeutung", "size": "Größe",
	"line": "Zeile", "lines": "Zeilen", "groups": "Gruppen", "rules": "Regeln", "%s Disallow, %s Allow": "%s Disallow, %s Allow", "sitemaps": "Sitemaps",
	"none": "keine", "%s, for %s": "%s, für %s", "the rules of the file apply": "die Regeln der Datei gelten", "nothing is known": "nichts ist bekannt",
	"crawlers may fetch everything": "Crawler dürfen alles abrufen", "crawlers may fetch nothing": "Crawler dürfen nichts abrufen",
	"there is no response": "es gibt keine Antwort",

	"Problems": "Probleme", "No problem was found.": "Kein Problem wurde gefunden.", "severity": "Schwere", "problem": "Problem", "count": "Anzahl",
	"and %s more": "und %s weitere", "and %s more lines": "und %s weitere Zeilen",
	"Who is shut out of what": "Wer wovon ausgesperrt ist", "crawlers": "Crawler",
	"No crawler is shut out, because no file restricts it.":               "Kein Crawler ist ausgesperrt, denn keine Datei schränkt ihn ein.",
	"Every crawler is shut out of the whole site, because of the status.": "Alle Crawler sind wegen des Status von der ganzen Website ausgesperrt.",
	"The file is so large that it is not known who is shut out of what.":  "Die Datei ist so groß, dass nicht bekannt ist, wer wovon ausgesperrt ist.",
	"more than %s; this is about that beginning of the file":              "mehr als %s; dies alles gilt für diesen Anfang der Datei",
	"That is not known.": "Das ist nicht bekannt.", "No line shuts a crawler out.": "Keine Zeile sperrt einen Crawler aus.",
	"The file is so large that there might be more.": "Die Datei ist so groß, dass es mehr geben kann.", "no rule": "keine Regel",
	"Changes since %s": "Änderungen gegenüber %s", "The site has no rules that can be compared.": "Die Website hat keine Regeln, die sich vergleichen lassen.",
	"opens": "öffnet", "closes": "sperrt", "effect": "Wirkung", "before": "vorher", "now": "jetzt",
	"The older file could not be read: %s.": "Die ältere Datei war nicht zu lesen: %s.", "Nothing is known about it: %s.": "Dazu ist nichts bekannt: %s.",
	"Only the beginning of a file that is longer was compared, so there might be other changes.": "Von einer längeren Datei wurde nur der Anfang verglichen; es kann also andere Änderungen geben.",
	"No verdict has changed as far as the files were read.":                                      "Soweit die Dateien gelesen wurden, hat sich kein Ergebnis geändert.",
	"%s; otherwise no rule":                                "%s; sonst keine Regel",
	"No verdict has changed. That is proved for all URLs.": "Kein Ergebnis hat sich geändert. Das ist für alle URLs bewiesen.",
	"%s removed: %s":                                       "%s entfernt: %s", "%s added: %s": "%s hinzugefügt: %s", "AI and search": "KI und Suche", "access": "Zugang",
	"There is no file that says anything to AI services.": "Es gibt keine Datei, die KI-Diensten etwas sagt.",
	"line %d: refuses %s %s for %s (%s)":                  "Zeile %d: verweigert %s %s für %s (%s)", "line %d: grants %s %s for %s (%s)": "Zeile %d: erlaubt %s %s für %s (%s)",
	"1 crawler (†) does not obey robots.txt, or not reliably, as a source states": "1 Crawler (†) befolgt die robots.txt nicht oder nicht zuverlässig, wie eine Quelle angibt",
	"%s crawlers (†) do not obey robots.txt, or not reliably, as a source states": "%s Crawler (†) befolgen die robots.txt nicht oder nicht zuverlässig, wie eine Quelle angibt",
	"of all pages": "aller Seiten", "of pages under %s": "der Seiten unter %s", "no crawler": "keinen Crawler",
	"every crawler whose groups have no License line": "alle Crawler, deren Gruppen keine License-Zeile haben",
	"line %d: license %s for %s":                      "Zeile %d: Lizenz %s für %s", "line %d: %s %s": "Zeile %d: %s %s",
	"no Content-Signal, Content-Usage or License line states how pages may be used": "keine Zeile Content-Signal, Content-Usage oder License sagt, wie Seiten genutzt werden dürfen",

	// The plan of the lines to write.
	"The new lines refuse %s.": "Die neuen Zeilen sperren %s aus.", "The new lines refuse some paths to %s.": "Die neuen Zeilen sperren manche Pfade für %s.", "The new lines allow %s.": "Die neuen Zeilen lassen %s zu.", "Already as intended: %s.": "Schon wie gewünscht: %s.",
	"Rules with longer paths decide about some of the paths, or the proof takes too long, so these stay as they were: %s.": "Regeln mit längeren Pfaden entscheiden über manche der Pfade, oder der Beweis dauert zu lange, daher bleibt es hier, wie es war: %s.",
	"These also serve a purpose that is not refused, so the new lines do not close the site to them: %s.":                  "Diese dienen auch einem Zweck, der nicht verweigert wird, deshalb sperren die neuen Zeilen sie nicht von der ganzen Website aus: %s.",
	"Content-Usage lines with longer paths decide about some of the pages: %s.":                                            "Content-Usage-Zeilen mit längeren Pfaden entscheiden über manche der Seiten: %s.",
	"These also serve a purpose that is not refused, so they stay open; to close one, refuse it by name: %s.":              "Diese dienen auch einem Zweck, der nicht verweigert wird, und bleiben deshalb zugelassen; um einen auszusperren, nennen Sie ihn: %s.",
	"The lines that close parts of the site stay, and they refuse the home page to these: %s.":                             "Die Zeilen, die Teile der Website sperren, bleiben, und sie verweigern die Startseite diesen: %s.",
	"The group of such a token refuses all its purposes, so these are refused although they are allowed: %s.":              "Die Gruppe eines solchen Namens verweigert alle seine Zwecke, daher wird auch verweigert, was erlaubt sein soll: %s.",
	"No line can name these: %s.":                  "Diese kann keine Zeile nennen: %s.",
	"These are closed for other purposes too: %s.": "Diese sind damit auch für andere Zwecke gesperrt: %s.",
	"These are opened for other purposes too: %s.": "Diese sind damit auch für andere Zwecke offen: %s.",
	"%s, unchanged": "%s, unverändert", "%s, opened": "%s, jetzt offen", "%s; a page can refuse it with %s": "%s; eine Seite kann es mit %s verweigern",
	"No line can name these, so they are not as you intend: %s.":                                       "Diese kann keine Zeile nennen, daher bleibt es bei ihnen, wie es war: %s.",
	"This applies to these too, because they fall back to a crawler that it names: %s.":                "Das gilt auch für diese, denn sie richten sich ersatzweise nach einem der genannten Crawler: %s.",
	"No specification defines paths for %s, so there is none for %s.":                                  "Keine Spezifikation sieht Pfade für %s vor, daher fehlt dort die Angabe für %s.",
	"These would read another group, so they get one that repeats the rules that applied to them: %s.": "Diese würden sonst eine andere Gruppe lesen und erhalten deshalb eine eigene mit den Regeln, die für sie galten: %s.",
	"These block no crawler; they refuse uses of the pages: %s.":                                       "Diese sperren keinen Crawler aus, sondern verweigern Nutzungen der Seiten: %s.",
	"According to their operators or a public list, these need not obey it, or not always: %s.":        "Nach Angabe der Betreiber oder einer öffentlichen Liste müssen sich diese nicht oder nicht immer daran halten: %s.",
	"No source says whether %d of the %d obey it.":                                                     "Ob sich %d der %d daran halten, sagt keine Quelle.",

	// Titles of fixes.
	"end them with LF": "mit LF beenden", "insert User-agent: * above": "davor „User-agent: *“ einfügen", "join the parameters by &": "die Parameter mit & verbinden",
	"make it a comment": "zum Kommentar machen", "make them comments": "zu Kommentaren machen", "move the name up from the next line": "den Namen aus der nächsten Zeile heraufholen",
	"percent-encode the path": "den Pfad prozentcodieren", "put the path after the Disallow": "den Pfad hinter das Disallow setzen", "put %s in front": "%s voranstellen",
	"remove it": "entfernen", "remove them": "entfernen", "remove the line": "die Zeile entfernen", "remove these lines": "diese Zeilen entfernen",
	"remove the NUL bytes": "die NUL-Bytes entfernen", "remove the blank lines within the group": "die Leerzeilen in der Gruppe entfernen",
	"remove the byte order mark": "die Byte-Order-Mark entfernen", "remove the character": "das Zeichen entfernen",
	"separate the preferences with commas": "die Angaben durch Kommas trennen", "separate them with commas": "durch Kommas trennen",
	"write a comma": "ein Komma schreiben", "write a line for each directive": "für jede Anweisung eine Zeile schreiben", "write a line for each path": "für jeden Pfad eine Zeile schreiben",
	"write https": "https schreiben", "write it in lower case": "kleinschreiben", "write it without spaces": "ohne Leerzeichen schreiben", "write the colon": "den Doppelpunkt schreiben",
	"write the file in UTF-8": "die Datei in UTF-8 schreiben", "write the full URL": "die ganze URL schreiben", "write the number only": "nur die Zahl schreiben",
	"write the path alone": "nur den Pfad schreiben", "write User-agent once": "User-agent nur einmal schreiben", "write only %s": "nur %s schreiben",
	"write %s or %s": "%s oder %s schreiben", "write %s and %s more": "%s und %s weitere schreiben", "write %s": "%s schreiben",

	// Phrases of other packages.
	"not a URL": "keine URL", "not a valid URL": "keine gültige URL", "a URL begins with https:// or http://, a path with /": "eine URL beginnt mit https:// oder http://, ein Pfad mit /",
	"there is no file %s": "eine Datei %s gibt es nicht", "%s has no host: write %s": "in %s fehlt der Host%.0s",
	"no group applies to the crawler": "keine Gruppe gilt für den Crawler", "no rule of the group for %s matches": "keine Regel der Gruppe für %s passt",
	"robots.txt itself is always allowed": "die robots.txt selbst ist immer erlaubt", "no rule with a path matches": "keine Regel mit einem Pfad passt",
	"not given": "nicht angegeben", "page": "die Seite", "response header": "die Antwort des Servers", "cut": "abgeschnitten", "time": "der Zeitpunkt",
	"a setting that only the owner sees": "eine Einstellung, die nur der Inhaber sieht", "unreachable": "nicht erreichbar", "license %s": "die Lizenz %s",
	"not seen by the crawler, because robots.txt disallows the URL":                                      "vom Crawler nicht gesehen, weil die robots.txt die URL sperrt",
	"crawlers fetch robots.txt itself anyway":                                                            "Crawler rufen die robots.txt selbst trotzdem ab",
	"the group of line %s is for %s too: no rule separates that line from the user-agent lines above it": "die Gruppe von Zeile %s gilt auch für %s: keine Regel trennt jene Zeile von den User-agent-Zeilen darüber",
}

// phrases are the texts with values that other packages make. The first one that fits is used.
var phrases = []Text{
	"no rule of the group for %s matches", "license %s", "there is no file %s", "%s has no host: write %s",
	"the group of line %s is for %s too: no rule separates that line from the user-agent lines above it",
	"put %s in front", "write only %s", "write %s or %s", "write %s and %s more", "write %s", // after all titles without values
}

//go:embed titles.de.json
var titles []byte

// germanTitles returns the titles of the kinds of problems by their codes.
var germanTitles = sync.OnceValue(func() map[string]string { return read[map[string]string](titles) })

func read[T any](embedded []byte) (value T) {
	if err := json.Unmarshal(embedded, &value); err != nil {
		panic(err)
	}
	return value
}
