// Package waitstorm has tasks that wait for approvals and time-outs while workers are killed and the server crashes. Signals come
// before their task, when the step waits, at about the same time as the time-out, repeated, or not at all: every signal has one
// effect, and every task ends as its own signal or its time-out says.
package waitstorm
