// Package howto runs the Go of the pages in docs/howto and of README.md and docs/worker.md: each excerpt stands,
// word for word, in a test of this package, and a test of package docs sees that it does. The tests prove what the
// pages say of it. Packages typed and tested do so for docs/workflow.md and docs/testing.md.
package howto
