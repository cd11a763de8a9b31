// Package howto runs the Go of the pages in docs/howto and of README.md and docs/worker.md: each excerpt stands, word
// for word, in a test of this package, and a test of package docs checks this. The tests prove the pages' statements
// about the excerpts. Packages typed and tested do the same for docs/workflow.md and docs/testing.md.
package howto
