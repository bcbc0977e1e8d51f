package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/kosterhq/robotstxt/cmd/internal/ask"
)

// concurrencyFlag is the value of --concurrency: how many sites are fetched at the same
// time.
type concurrencyFlag int

// mostConcurrent is the greatest value. The URLs of more sites are not read ahead.
const mostConcurrent = 256

func (c *concurrencyFlag) define(cmd *cobra.Command) {
	*c = ask.DefaultConcurrency
	cmd.Flags().Var(c, "concurrency", "fetch up to `N` sites at the same time")
	complete(cmd, "concurrency", nil)
}

func (c *concurrencyFlag) String() string { return strconv.Itoa(int(*c)) }

func (*concurrencyFlag) Type() string { return "number" }

func (c *concurrencyFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostConcurrent {
		return fmt.Errorf("want a number from 1 to %d", mostConcurrent)
	}
	*c = concurrencyFlag(n)
	return nil
}
