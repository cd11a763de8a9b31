// Package limitstorm has workers claim, complete, fail, release and lose limited steps while sessions are terminated and the
// server crashes. The log proves that no limit was ever exceeded, at any instant or in any window. No place is lost, so every
// task ends. Other tests keep limits full, change limits, have many steps wait for a limit, and test rates. `make storm-limits`
// sets the sizes. Without this command the tests are small.
package limitstorm
