package executor

import (
	"context"
)

// Queue returns the functions about pgmq queues.
func (r *FunctionRegistry) Queue() QueueFunctions { return r.executor }

// QueueFunctions are the functions about pgmq queues. [Listen] wakes a reader when there is something to read.
type QueueFunctions interface {
	EnsureTaskQueue(ctx context.Context, queueName string, act ...Act) (bool, error)
	ExtractQueueNamespace(ctx context.Context, queueName string) (string, error)
	PgmqSendWithNotify(ctx context.Context, arg PgmqSendWithNotifyParams) (int64, error)
	PgmqSendBatchWithNotify(ctx context.Context, arg PgmqSendBatchWithNotifyParams) ([]int64, error)
	PgmqReadSpecificMessage(ctx context.Context, queueName string, targetMsgID int64, vtSeconds *int32) (QueueMessage, error)
	PgmqReceiveMessages(ctx context.Context, arg PgmqReceiveMessagesParams) ([]QueueMessage, error)
	PgmqAcknowledgeMessage(ctx context.Context, queueName string, targetMsgID int64, readCt int32) (bool, error)
	PgmqHideMessage(ctx context.Context, arg PgmqHideMessageParams) (bool, error)
	PgmqDeleteMessages(ctx context.Context, queueName string, msgIDs []int64) ([]int64, error)
	PgmqArchiveMessages(ctx context.Context, queueName string, msgIDs []int64) ([]int64, error)
	PgmqEnsureHeadersColumn(ctx context.Context, queueName string) (bool, error)
	GetQueueStatistics(ctx context.Context, queueName string) ([]QueueStatistics, error)
	PeekQueue(ctx context.Context, queueName string, limit int32, afterMsgID int64) ([]QueueMessage, error)
	PgmqKind(ctx context.Context) (string, error)
}
