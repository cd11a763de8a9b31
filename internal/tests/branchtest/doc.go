// Package branchtest writes the graphs of other engines as templates, and compares what runs with what the other engine does.
package branchtest
