module github.com/kosterhq/robotstxt

go 1.25.0

require (
	code.dny.dev/ssrf v0.3.0
	github.com/jlaffaye/ftp v0.2.4
	github.com/maypok86/otter/v2 v2.4.0
	golang.org/x/net v0.50.0
	golang.org/x/sync v0.19.0
)

require golang.org/x/text v0.34.0 // indirect
