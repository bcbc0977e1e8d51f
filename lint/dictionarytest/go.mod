module github.com/kosterhq/robotstxt/lint/dictionarytest

go 1.26.0

require (
	github.com/dunglas/httpsfv v1.1.2
	github.com/kosterhq/robotstxt v0.1.0
)

require (
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)
