// Package deploy tests the files in deploy: those that run an audit on many machines, the
// objects of Kubernetes, the alerts and the dashboard. It is a module of its own, because
// nothing else requires the types of Kubernetes.
package deploy
