// Package draw draws a directed acyclic graph with the characters of a terminal.
//
// It draws lanes: each node is a line, and each edge is a lane that leads down to its end node.
//
//	● reserve
//	├─╮
//	● │ charge
//	│ ● pack
//	├─╯
//	○ ship
//
// For graphs with too many lanes for a terminal, it draws levels or a tree. A line that crosses a lane without joining it
// leaves the lane unbroken: ├─│─╯.
//
// The package knows nothing of tasks: a node has a symbol, a colour and parents.
package draw
