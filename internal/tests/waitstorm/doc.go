// Package waitstorm has tasks that wait for approvals and timeouts while workers are killed and the server crashes. Some
// signals come before their task exists, some while the step waits, some at about the same time as the timeout, some
// repeatedly, and some never. Every signal has one effect, and every task ends as its own signal or its timeout requires.
package waitstorm
