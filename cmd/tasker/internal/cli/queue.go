package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/gen"
)

func (a *app) queueCommands() *cobra.Command {
	return a.group("queue", "Look into the pgmq queues", "",
		a.queueList(), a.queuePeek(), a.queueStats())
}

func (a *app) queueList() *cobra.Command {
	return a.watched(a.leaf(cobra.Command{
		Use:   "list",
		Short: "List the queues with their lengths",
	}, "an array of tasker.queue_statistics: get_queue_statistics()", func(ctx context.Context, _ []string) error {
		return a.listQueues(ctx)
	}))
}

func (a *app) listQueues(ctx context.Context) error {
	e, err := a.executor(ctx)
	if err != nil {
		return err
	}
	queues, err := e.GetQueueStatistics(ctx, "")
	if err != nil {
		return err
	}
	table := term.NewTable("QUEUE", "LENGTH", "VISIBLE", "BEHIND").Yield("VISIBLE")
	return list(a, queues, "there are no queues", table, func(q gen.QueueStatistics) []term.Cell {
		return []term.Cell{
			term.Text(q.QueueName), term.Number(q.QueueLength), term.Number(q.VisibleLength),
			term.Text(seconds(q.OldestVisibleAgeSeconds)),
		}
	})
}

// seconds formats an age that may be missing.
func seconds(s *int32) string {
	if s == nil {
		return ""
	}
	return span(time.Duration(*s) * time.Second)
}

func (a *app) queueStats() *cobra.Command {
	return a.leaf(cobra.Command{
		Use:               "stats [QUEUE]",
		Short:             "Show how long a queue is, how old its messages are and how far its consumers are behind; without a name, show all queues",
		Example:           "  tasker queue stats orchestration_task_requests\n  tasker queue stats",
		ValidArgsFunction: a.complete(a.queues),
	}, "an object of tasker.queue_statistics: get_queue_statistics(); without a name, an array of them", func(ctx context.Context, args []string) error {
		if len(args) == 0 {
			return a.listQueues(ctx)
		}
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		queues, err := e.GetQueueStatistics(ctx, args[0])
		if err != nil {
			return err
		}
		if len(queues) == 0 {
			return &problem{Exit: exitNotFound, Message: "queue " + quote(args[0]) + " does not exist"}
		}
		q := queues[0]
		return a.show(q, func() error {
			return term.Fields(a.out,
				"queue", q.QueueName,
				"messages", fmt.Sprint(q.QueueLength),
				"visible", fmt.Sprint(q.VisibleLength),
				"behind", seconds(q.OldestVisibleAgeSeconds),
				"oldest", seconds(q.OldestMsgAgeSeconds),
				"newest", seconds(q.NewestMsgAgeSeconds),
				"ever sent", fmt.Sprint(q.TotalMessages),
			)
		})
	})
}

func (a *app) queuePeek() *cobra.Command {
	var (
		limit int32
		after int64
	)
	command := a.leaf(cobra.Command{
		Use:               "peek QUEUE",
		Short:             "Show the first messages of a queue, also hidden ones, without receiving them",
		Example:           "  tasker queue peek orchestration_task_requests --limit 3",
		ValidArgsFunction: a.complete(a.queues),
	}, "an array of tasker.queue_messages: peek_queue()", func(ctx context.Context, args []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		messages, err := e.PeekQueue(ctx, args[0], limit, after)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		table := term.NewTable("ID", "AGE", "READ", "VISIBLE", "MESSAGE").Yield("READ")
		return list(a, messages, "the queue is empty", table, func(m gen.QueueMessage) []term.Cell {
			visible := "now"
			if m.Vt.After(now) {
				visible = "in " + span(m.Vt.Sub(now))
			}
			return []term.Cell{
				term.Number(m.MsgID), term.Text(span(now.Sub(m.EnqueuedAt))), term.Number(m.ReadCt),
				term.Text(visible), term.Text(string(m.Message)),
			}
		})
	})
	command.Flags().Int32VarP(&limit, "limit", "l", 10, "how many at most")
	command.Flags().Int64Var(&after, "after", 0, "only messages with a higher id")
	return command
}
