// Package ftptest tests package fetch with a real FTP server. It has no code of
// its own, and is a module of its own: whoever requires fetch would otherwise
// have the server's module among the requirements.
package ftptest
