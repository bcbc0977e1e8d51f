package main

import (
	"io"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/auditreport"
)

func writeVisitsReport(name string, found *wire.Visits) error {
	return files.Write(name, func(w io.Writer) error { return auditreport.WriteVisits(w, found, time.Now()) })
}
