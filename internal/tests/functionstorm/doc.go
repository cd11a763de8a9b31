// Package functionstorm has durable functions that call an outside service and this database, sleep and wait for signals,
// while worker processes are killed and the server crashes: no call whose result was kept is made again, effects in the
// database happen exactly once, kept errors stay, and every task ends as what its function has kept says.
package functionstorm
