// Package eventstorm has transactions emit events while others begin to wait for them, with deliverers that are ended in the
// middle, and a crowd of steps that all wait for one event: none is lost, and none comes twice. Meanwhile others work, whose times and
// reads are compared with the same work without the crowd.
package eventstorm
