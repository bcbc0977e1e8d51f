module github.com/kosterhq/robotstxt/cache/valkey

go 1.26.0

require (
	github.com/klauspost/compress v1.20.3
	github.com/kosterhq/robotstxt v0.1.0
	github.com/sony/gobreaker/v2 v2.4.0
	github.com/valkey-io/valkey-go v1.0.79
)

require (
	github.com/stretchr/testify v1.12.1 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
