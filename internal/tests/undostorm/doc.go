// Package undostorm lets tasks with compensations fail, be cancelled, be given up and miss their deadlines at the same time, while
// workers are lost, sessions are terminated and the server crashes. Every step that was complete or had begun is undone once, in reverse
// order of the graph, and no other step is undone. The money test also forks tasks, and each effect keeps one owner.
package undostorm
