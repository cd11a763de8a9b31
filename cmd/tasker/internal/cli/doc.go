// Package cli has the commands of tasker, one file for each group.
//
//	Main ──▶ root ──▶ task, step, template, … ──▶ executor ──▶ PostgreSQL
//	  │                        │
//	  │                        └──▶ show: a table (package term, package draw), or JSON
//	  └── describe ◀── error: message, detail, hint, and the exit code
//
// A command decides nothing about tasks: it calls SQL functions and shows their rows. --json prints the rows with the names of
// their columns.
package cli
