package serve

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// waitOperation waits for a task. Between two reads of the task it holds neither a connection nor a transaction.
var waitOperation = operation{
	method: http.MethodGet, path: "/v1/tasks/{task_uuid}/wait", id: "waitForTask",
	summary: "Wait until a task has ended, and get it",
	description: "Answers when the task has ended, or with the task as it is when the time is over: complete says which. " +
		"A task that is blocked by failures has not ended: or_blocked answers at once for it, too.",
	in: reflect.TypeFor[waitFor](), out: reflect.TypeFor[executor.TaskDetail](),
	outside: func(ctx context.Context, s *Server, c *caller, in any) (any, error) {
		return s.wait(ctx, c, *in.(*waitFor))
	},
}

type waitFor struct {
	task
	TimeoutSeconds int32 `query:"timeout_seconds" default:"30" minimum:"0" maximum:"3600" doc:"How long to wait; the server may have a shorter limit."`
	OrBlocked      bool  `query:"or_blocked" default:"false" doc:"Whether to answer as soon as the task is blocked by failures, too."`
}

// The pause of a wait between two reads: first this time, and each further pause is half as long again.
const (
	firstLook = 50 * time.Millisecond
	lastLook  = time.Second
)

func (s *Server) wait(ctx context.Context, c *caller, in waitFor) (task executor.TaskDetail, err error) {
	until := time.Now().Add(min(time.Duration(in.TimeoutSeconds)*time.Second, s.config.MaxWait))
	place := false
	for pause := firstLook; ; pause = min(pause*3/2, lastLook) {
		err = s.transact(ctx, c, false, func(ctx context.Context, db executor.DBTX) error {
			task, err = direct.New(db).GetTask(ctx, in.TaskUUID)
			return err
		})
		if err != nil || task.Complete || in.OrBlocked && task.Blocked || !time.Now().Before(until) {
			return task, err
		}
		if !place {
			select {
			case s.waiting <- struct{}{}:
				defer func() { <-s.waiting }()
				place = true
			default:
				return task, unavailable("too many requests wait for tasks")
			}
		}
		timer := time.NewTimer(min(pause, time.Until(until)))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return task, nil // The server stops, or no notification comes.
		}
	}
}
