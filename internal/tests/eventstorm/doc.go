// Package eventstorm has transactions emit events while other transactions begin to wait for them. Deliverers are ended in the
// middle of their work, and a crowd of steps waits for one event. No event is lost, and none is delivered twice. Workers do
// other work at the same time. The times and reads of this work are compared with the same work without the crowd.
package eventstorm
