// Package relay delivers the events of the feed (docs/feed.md) to the targets of subscriptions: webhooks, queues of pgmq
// and of RabbitMQ. The command tasker relay runs it.
//
// Any number of processes may run it against one database. Each subscription is delivered by one of them at a time,
// under a lease. When that process ends or crashes, another goes on from the last acknowledged event. So every event is
// delivered at least once, and of each step and task in order.
//
// With [Config.Steps] it also publishes the ready steps of namespaces with transport broker, for workers that take them
// from RabbitMQ. Any number of relays may: each step is marked by one of them, and a message too many is harmless.
package relay
