// Package scaletest holds the engine to linear cost: what a step of a task takes must not grow with the
// task. It counts the buffers that the calls touch, which are the same on any machine, not time.
package scaletest
