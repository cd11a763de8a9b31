// Package gen is what sqlc makes of queries/tasklib: a method for each SQL function of schema tasklib, and the types
// of its rows. Package tasklib embeds it.
//
// All but this file is generated ("make generate") and never edited.
package gen
