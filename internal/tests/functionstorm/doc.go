// Package functionstorm runs durable functions that call an outside service and this database, sleep and wait for signals,
// while worker processes are killed and the server crashes. A call whose result was kept is not made again. Effects in the
// database happen exactly once. Kept errors stay. Every task ends in the state that the kept results of its function imply.
package functionstorm
