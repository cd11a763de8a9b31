// Package streamstorm reads streams while steps write them and the server crashes. CI runs a small form. make storm-streams runs
// the full size.
package streamstorm
