package executor

import "time"

// Within bounds each query by d.
func (o WaitOptions) Within(d time.Duration) WaitOptions {
	o.within = d
	return o
}

// Within bounds each query by d.
func (c SubscribeConfig) Within(d time.Duration) SubscribeConfig {
	c.within = d
	return c
}

// Translate is translate, for tests that call the database without an executor.
var Translate = translate

// CheckJSON is checkJSON.
var CheckJSON = checkJSON
