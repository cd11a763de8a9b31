// Package docs keeps the generated parts of the documentation current: the state diagrams and tables
// of docs/states.md, the references docs/functions.md, docs/templates.md and docs/settings.md, and those of
// docs/tasklib.md, all read from a migrated database.
//
// A generated part stands between two comments in its file:
//
//	<!-- generated: task diagram -->
//	…
//	<!-- end -->
//
// The package's test fails when a part differs from what the database says. "make docs" rewrites it.
package docs
