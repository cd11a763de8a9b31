// Package functionstorm runs durable functions that call an outside service and this database, sleep and wait for signals,
// while worker processes are killed and the server crashes. No call whose result was kept is made again, effects in the
// database happen exactly once, kept errors stay, and every task ends in the state that the kept results of its function imply.
package functionstorm
