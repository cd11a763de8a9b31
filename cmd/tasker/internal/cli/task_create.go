package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/executor"
)

// creation has the request of "task create" and the flags that are not fields of the request.
type creation struct {
	request                     executor.TaskRequest
	contextText, headers        string
	uuid, correlation, causedBy string
	scope                       string
	startAt, deadline           string
}

func (a *app) taskCreate() *cobra.Command {
	c := &creation{}
	command := a.leaf(cobra.Command{
		Use:   "create TEMPLATE",
		Short: "Create a task of a template",
		Long: `Create a task of a template and print its UUID. An equal request finds the task of the first request. The
template's identity strategy says which requests are equal. The output says "created" or "exists".`,
		Example: `  tasker task create shop/order --context '{"order": 7}'
  tasker task create shop/order@1.0.0 --context @order.json --tag vip --priority 10
  jq .order event.json | tasker task create shop/order --context - --start-at 2h
  tasker task create shop/index --key customer-7 --debounce 5m --debounce-longest 1h`,
		ValidArgsFunction: a.complete(a.templates),
	}, "an object of tasker.task_creations: create_task()", func(ctx context.Context, args []string) error {
		return a.createTask(ctx, args[0], c)
	})
	flags, o := command.Flags(), &c.request.TaskOptions
	flags.StringVarP(&c.contextText, "context", "c", "", "the JSON object that handlers get; @FILE reads a file, - standard input")
	flags.StringVar(&c.request.IdentityKey, "key", "", "the key that identifies the request, if the template needs one")
	flags.DurationVar(&o.IdentityTTL, "key-ttl", 0, "how long an equal request finds the task (default: as long as the task exists)")
	flags.StringVar(&c.scope, "identity-scope", "", "how long an equal request finds the task: forever, open (until it has ended) or period (--key-ttl)")
	flags.DurationVar(&c.request.Debounce, "debounce", 0, "start this long after the last request with this --key; each request replaces the task of the previous request if it has not started")
	flags.DurationVar(&c.request.DebounceLongest, "debounce-longest", 0, "the longest time from the first of these requests to the start")
	flags.Int32Var(&c.request.ThrottleLimit, "throttle", 0, "how many tasks of the template may be created in a --throttle-period; further requests are refused")
	flags.DurationVar(&c.request.ThrottlePeriod, "throttle-period", 0, "the period of --throttle")
	flags.StringVar(&c.request.ThrottleKey, "throttle-key", "", "throttle the requests of this key separately")
	flags.BoolVar(&c.request.ThrottleWait, "throttle-wait", false, "do not refuse a request above the throttle: its task starts when its turn comes")
	flags.Int32VarP(&o.Priority, "priority", "p", 0, "from -1000 to 1000; above 0 takes the fast lane, below 0 the slow one")
	flags.StringSliceVarP(&o.Tags, "tag", "t", nil, "a tag to find the task by; may be given more than once")
	flags.StringVar(&c.startAt, "start-at", "", "when the task starts: in 2h, or at 2026-01-31T12:00:00Z (default at once)")
	flags.BoolVar(&o.Deferred, "deferred", false, "leave the start to an orchestrator")
	flags.StringVar(&c.deadline, "deadline", "", "the time or span after which the task fails if it has not ended")
	flags.StringVar(&o.Initiator, "initiator", "", "who requests the task")
	flags.StringVar(&o.SourceSystem, "source", "tasker", "where the request comes from")
	flags.StringVarP(&o.Reason, "reason", "r", "", "why, for the logs")
	flags.StringVar(&c.headers, "headers", "", "a JSON object that handlers get, such as a traceparent")
	flags.StringVar(&c.correlation, "correlation", "", "a UUID that goes through several systems (default the task's own)")
	flags.StringVar(&c.causedBy, "caused-by", "", "the correlation id of the request that caused this request")
	flags.StringVar(&c.uuid, "uuid", "", "the task's UUID (default one that the database creates)")
	return command
}

func (a *app) createTask(ctx context.Context, argument string, c *creation) error {
	r, err := parseReference(argument)
	if err != nil {
		return err
	}
	request := c.request
	request.Namespace, request.Name, request.Version = r.namespace, r.name, text(r.version)
	request.IdentityScope = executor.IdentityScope(c.scope)
	if request.Context, err = a.readText(c.contextText); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return invalid("", "--context: %s", err)
		}
		return err
	}
	request.Context = bytes.TrimSpace(request.Context)
	request.Headers = []byte(c.headers)
	for _, id := range []struct {
		flag, text string
		to         *[16]byte
	}{
		{"--uuid", c.uuid, (*[16]byte)(&request.TaskUUID)},
		{"--correlation", c.correlation, (*[16]byte)(&request.CorrelationID)},
		{"--caused-by", c.causedBy, (*[16]byte)(&request.ParentCorrelationID)},
	} {
		if id.text == "" {
			continue
		}
		if *id.to, err = parseUUID(id.flag, id.text); err != nil {
			return err
		}
	}

	e, err := a.executor(ctx)
	if err != nil {
		return err
	}
	now, err := e.Clock(ctx)
	if err != nil {
		return err
	}
	for _, at := range []struct {
		flag, text string
		to         *time.Time
	}{
		{"start-at", c.startAt, &request.StartAt},
		{"deadline", c.deadline, &request.Deadline},
	} {
		if *at.to, err = parseTime(at.flag, at.text, now, 1); err != nil {
			return err
		}
	}

	task, err := e.CreateTask(ctx, request)
	if err != nil {
		return err
	}
	return a.show(task, func() error {
		verb := a.out.Paint("created", term.Green)
		if !task.Created {
			verb = "exists"
		}
		return a.out.Say("%s %s\n", task.TaskUUID, verb)
	})
}
