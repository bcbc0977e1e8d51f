// Package audittest tests the files in deploy that run an audit on many machines. It is a
// module of its own, because nothing else requires the types of Kubernetes.
package audittest
