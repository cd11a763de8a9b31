// Package branchtest writes graphs of other workflow engines as templates, and compares which steps run with the documented
// behaviour of the other engine.
package branchtest
