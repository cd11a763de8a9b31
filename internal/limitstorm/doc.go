// Package limitstorm has workers claim, complete, fail, hand back and lose steps of limits while sessions are terminated and
// the server crashes. By the log no limit is ever exceeded, at no instant and in no window, and no place is lost: every task
// ends.
package limitstorm
