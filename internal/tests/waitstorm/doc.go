// Package waitstorm has tasks that wait for approvals and timeouts while workers are killed and the server crashes. Signals
// come before their task, when the step waits, at about the same time as the timeout, repeated, or not at all. Every signal has
// one effect, and every task ends as its own signal or its timeout requires.
package waitstorm
