// Package pgmq is messaging over pgmq, the queues in PostgreSQL: pgtasker's own and the extension.
//
//	queue, err := pgmq.Open(ctx, pool, pgmq.Config{Config: messaging.Config{Name: "orders"}})
//
// A message is a row, its lease is the time until which the row is hidden, and a delivery is the row's number with how
// often it was read. All decisions are SQL functions of schema tasker: pgmq_receive_messages,
// pgmq_acknowledge_message, pgmq_hide_message. So messages of SQL senders arrive, too: one that has no header
// message_id has its number as ID. [Send] sends in the caller's transaction.
package pgmq
