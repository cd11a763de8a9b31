// Package docs keeps the generated parts of the documentation current: the state diagrams and tables of docs/states.md, the
// references docs/functions.md, docs/templates.md and docs/settings.md, and the reference in docs/tasklib.md. The parts are
// made from a migrated database.
//
// A generated part stands between two comments in its file:
//
//	<!-- generated: task diagram -->
//	…
//	<!-- end -->
//
// The package's test fails when a generated part differs from the database. "make docs" rewrites the parts.
package docs
