// Package eventstorm has transactions emit events while other transactions begin to wait for them. Deliverers are ended in the middle
// of their work, and a crowd of steps waits for one event. No event is lost, and none is delivered twice. Other workers work
// meanwhile. Their times and reads are compared with the same work without the crowd.
package eventstorm
