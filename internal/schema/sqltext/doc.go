// Package sqltext reads just enough of PostgreSQL's SQL to say what a schema file creates: it cuts a
// text into statements, names the object that each one creates, and knows how to drop it.
//
//	text ── Tokens ──> words, strings, symbols ── Split ──> statements ── Created ──> Object ── Drop ──> text
//
// It is no parser. Comments vanish, the body of a function is one string token (or, after
// "begin atomic", tokens that do not end the statement), and what is not understood is left alone.
package sqltext
