// Package bookingtest has steps move money between the rows of one table, in the same database, while worker processes are
// killed, sessions are terminated, the server crashes, leases end and operators cancel and retry. Afterwards the sum of all
// balances is the same, each completed step has exactly one booking, and no other step has a booking. Handlers without a
// transaction of their result fail the same check.
//
//	bank.go   the accounts, the bookings, and the check
//	storm.go  the tasks, and the disturbances while they run
package bookingtest
