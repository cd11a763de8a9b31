// Package draw draws a directed acyclic graph with the characters of a terminal.
//
// As lanes, where each node is a line and each edge a lane that leads down to the node that it ends in:
//
//	● reserve
//	├─╮
//	● │ charge
//	│ ● pack
//	├─╯
//	○ ship
//
// or, for graphs with more lanes than a terminal has room for, as levels or as a tree. A line that
// crosses a lane without joining it leaves the lane unbroken: ├─│─╯.
//
// The drawing knows nothing of tasks: a node is its symbol, its colour and its parents.
package draw
