module github.com/kosterhq/robotstxt/fetch/ftptest

go 1.26.0

require (
	github.com/kosterhq/robotstxt v0.1.0
	goftp.io/server/v2 v2.0.3
)

require (
	code.dny.dev/ssrf v0.3.0 // indirect
	github.com/jlaffaye/ftp v0.2.4 // indirect
	github.com/maypok86/otter/v2 v2.4.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)
