// Package ftp tests package fetch with a real FTP server. It contains only
// tests. It is a separate module so that the server's module is not a
// requirement of package fetch.
package ftp
