// Package branchtest writes the graphs of other engines as templates, and compares the steps that run with the behaviour of
// the other engine.
package branchtest
