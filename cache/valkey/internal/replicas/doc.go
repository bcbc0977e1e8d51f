// Package replicas runs several "robots serve" with one Cluster and many sites that fail,
// kills what it can, and compares every verdict with the file of its site. It contains only
// tests. It is in this module because the servers of package valkeytest are, and it talks
// HTTP to the service, which it builds from the workspace.
package replicas
