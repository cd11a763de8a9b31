// Package waitstorm has tasks that wait for approvals and time-outs while signals come early, late, repeated or not at
// all, sessions are terminated and the server crashes: every signal has one effect, and every task ends as its own
// signal or its time-out says.
package waitstorm
