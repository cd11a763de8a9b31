// Package gen is what sqlc makes of queries/: a method for each public SQL function of schema tasker, and the types
// of its rows. Package executor embeds it; programs use that one, and find the types of rows here.
//
// All but this file is generated ("make generate") and never edited.
package gen
