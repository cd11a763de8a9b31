// Package layers reads the graph of calls of db/schema and holds it against the layers of the engine:
//
//	users      operate      compat        tasklib
//	   \          |           |              |  a listed few
//	features ─────┴───────────┘              v
//	   |  ^                               kernel
//	   v  └── doors ◀── kernel
//	 kernel
//
// The kernel calls the kernel and the doors. A door calls the kernel and the features behind it. A feature calls the kernel, and
// no other feature. Operate and compat call the layers below them. The rule is in [Graph.Violations]. The folders of db/schema
// show the layer of each function.
package layers
