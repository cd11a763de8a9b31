// Package layers reads the graph of calls in db/schema, and checks it against the layers of the engine:
//
//	users      operate      compat        tasklib
//	   \          |           |              |  a listed few
//	features ─────┴───────────┘              v
//	   |  ^                               kernel
//	   v  └── doors ◀── kernel
//	 kernel
//
// The kernel may call the kernel and the doors. A door may call the kernel and the features behind it. A feature may call the
// kernel, but no other feature. Operate and compat may call the layers below them. The rule is in [Graph.Violations]. The
// folders of db/schema show the layer of each function.
package layers
