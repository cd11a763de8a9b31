// Package scaletest checks that cost is linear: the cost of a step must not grow with its task. It counts the buffers that the
// calls touch, which are the same on any machine, instead of the time.
package scaletest
