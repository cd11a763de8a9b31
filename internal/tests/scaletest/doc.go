// Package scaletest checks that cost is linear, so that the cost of a step does not grow with its task. Instead of the time it
// counts the buffers that the calls touch, because they are the same on any machine.
package scaletest
