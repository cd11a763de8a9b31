// Package limitstorm has workers claim, complete, fail, hand back and lose steps of limits while sessions are terminated and
// the server crashes. By the log no limit is ever exceeded, at no instant and in no window, and no place is lost: every task
// ends. Beside the storm: limits that are kept full, changed, waited for by many, and rates. `make storm-limits` sets the
// sizes; without it they are small.
package limitstorm
