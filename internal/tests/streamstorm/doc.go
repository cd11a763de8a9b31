// Package streamstorm reads streams while steps write them and the server crashes. CI runs it small; make storm-streams runs it at
// its full size.
package streamstorm
