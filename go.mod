module github.com/kosterhq/robotstxt

go 1.26
