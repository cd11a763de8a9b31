// Package scaletest checks that cost is linear, so that the cost of a step does not grow with its task. It does not measure
// times. It counts the buffers that the calls touch, because these are the same on every machine.
package scaletest
