// Package undostorm has tasks with compensations fail, be cancelled, be given up and run into their deadlines at the same
// time, while workers get lost, sessions are terminated and the server crashes: what was done or begun is undone once, in
// reverse order of the graph, and nothing else is.
package undostorm
