// Package sqltext reads just enough of PostgreSQL's SQL to list the objects that a schema file creates. It cuts a
// text into statements, names the object that each statement creates, and knows how to drop the object.
//
//	text ── Tokens ──> words, strings, symbols ── Split ──> statements ── Created ──> Object ── Drop ──> text
//
// The package is not a full parser. It drops comments. The body of a function is one string token, or, after "begin atomic",
// tokens that do not end the statement. Other text has no meaning for the package.
package sqltext
