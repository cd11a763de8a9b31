-- EnsureTaskQueue creates a pgmq queue if the queue does not exist. It always returns true. It returns
-- ErrInvalid for a name that no queue can have, and ErrConflict if another queue's name differs only in case.
-- name: EnsureTaskQueue :one
select tasker.ensure_task_queue(@queue_name, p_actor => sqlc.narg('act_actor'), p_reason => sqlc.narg('act_reason'));

-- ExtractQueueNamespace returns the namespace in a queue's name.
-- name: ExtractQueueNamespace :one
select tasker.extract_queue_namespace(@queue_name);

-- PgmqSendWithNotify sends a message and announces it on commit. It returns the message's id. Delay and
-- headers may be omitted. It returns ErrNotFound if the queue does not exist.
-- name: PgmqSendWithNotify :one
select tasker.pgmq_send_with_notify(@queue_name, @message, sqlc.narg('delay_seconds'), sqlc.narg('headers'));

-- PgmqSendBatchWithNotify sends messages in this order and announces them once on commit. It returns the
-- messages' ids. Headers is nil, or has one element for each message. It returns ErrNotFound if the queue
-- does not exist.
-- name: PgmqSendBatchWithNotify :many
select tasker.pgmq_send_batch_with_notify(
  @queue_name, @messages::jsonb[], sqlc.narg('delay_seconds'), @headers::jsonb[]
);

-- PgmqReadSpecificMessage reads the message that a notification named, and hides the message for vt_seconds, by
-- default 30. It returns pgx.ErrNoRows if the message is hidden, or another reader is taking it, or it is no longer in
-- the queue.
-- name: PgmqReadSpecificMessage :one
select * from tasker.pgmq_read_specific_message(@queue_name, @target_msg_id, sqlc.narg('vt_seconds'));

-- PgmqReceiveMessages reads visible messages, by default one, and hides them, by default for 30 seconds. If a limit
-- of reads is given, messages that have been read that often go to the dead-letter queue instead.
-- name: PgmqReceiveMessages :many
select * from tasker.pgmq_receive_messages(
  @queue_name, sqlc.narg('limit'), sqlc.narg('vt_seconds'), sqlc.narg('max_reads'), sqlc.narg('dead_queue')
);

-- PgmqAcknowledgeMessage deletes a message that has been handled. It returns false if the message has been
-- delivered again in the meantime.
-- name: PgmqAcknowledgeMessage :one
select tasker.pgmq_acknowledge_message(@queue_name, @target_msg_id, @read_ct);

-- PgmqHideMessage hides a received message for vt_seconds from now, by default 30. With 0 the message is visible
-- again at once. It returns false if the message has been delivered again in the meantime.
-- name: PgmqHideMessage :one
select tasker.pgmq_hide_message(@queue_name, @target_msg_id, @read_ct, sqlc.narg('vt_seconds'));

-- PgmqDeleteMessages deletes messages of a queue. It returns the ids of the deleted messages.
-- name: PgmqDeleteMessages :many
select tasker.pgmq_delete_messages(@queue_name, @msg_ids::bigint[]);

-- PgmqEnsureHeadersColumn adds the column headers to a queue that a pgmq older than 1.5 created. It returns true
-- if it added the column.
-- name: PgmqEnsureHeadersColumn :one
select tasker.pgmq_ensure_headers_column(@queue_name);

-- GetQueueStatistics returns the statistics of a queue. Without queue_name, it returns the statistics of all
-- queues.
-- name: GetQueueStatistics :many
select * from tasker.get_queue_statistics(sqlc.narg('queue_name'));

-- PeekQueue returns the first messages after an id, including hidden messages, and leaves all of them in the queue.
-- By default it begins with the first message of the queue and returns ten messages.
-- name: PeekQueue :many
select * from tasker.peek_queue(@queue_name, sqlc.narg('limit'), sqlc.narg('after_msg_id'));

-- PgmqKind returns the kind of the schema pgmq: "own", "extension", "foreign" or "none".
-- name: PgmqKind :one
select tasker.pgmq_kind();
