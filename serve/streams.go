package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/state"
)

const streamPath = stepPath + "/streams/{stream}"

var streamOperations = group(
	"Values and streams",
	list("/v1/tasks/{task_uuid}/streams", "listStreams", "List the values and streams of a task's steps",
		func(ctx context.Context, e *direct.Executor, in streamFilter) ([]gen.StreamDetail, error) {
			params := sqlfn.ListStreamsParams{UUID: in.TaskUUID, Name: value(in.Name), AfterName: value(in.AfterName), Limit: in.Limit}
			params.AfterStepNo = in.AfterStepNo
			return e.ListStreams(ctx, params)
		}).
		and("A value has its last value, a stream has none. The step's number and the name of the last row are after_step_no and after_name of the next page."),
	list("/v1/progress", "listProgress", "List how far tasks have come",
		func(ctx context.Context, e *direct.Executor, in progressOf) ([]gen.StreamDetail, error) {
			tasks, err := in.tasks()
			if err != nil {
				return nil, err
			}
			return e.ListProgress(ctx, tasks)
		}).
		and("The newest value progress of the steps of each task that has one."),
	readStreamOperation,
	valueOperation,
	writeStep("/streams/{stream}", "appendItems", "Append items to a stream of a running step",
		func(ctx context.Context, e *direct.Executor, in itemsIn) (gen.StreamAnswer, error) {
			return e.AppendItems(ctx, sqlfn.AppendItemsParams{
				StepUUID: in.StepUUID, ClaimNo: in.ClaimNo, Stream: in.Stream, Items: orNull(in.Items), BatchNo: value(in.BatchNo),
			})
		}),
	writeStep("/values/{name}", "setValue", "Set a value of a running step",
		func(ctx context.Context, e *direct.Executor, in valueIn) (gen.StreamAnswer, error) {
			return e.SetValue(ctx, sqlfn.SetValueParams{StepUUID: in.StepUUID, ClaimNo: in.ClaimNo, Name: in.Name, Value: orNull(in.Value)})
		}),
)

type streamFilter struct {
	task
	Name        *string `query:"name" doc:"Of this name, such as log or progress."`
	AfterStepNo *int32  `query:"after_step_no" doc:"The step's number of the last row that is known."`
	AfterName   *string `query:"after_name" doc:"The name of the last row that is known."`
	Limit       int32   `query:"limit" default:"100" minimum:"1" maximum:"1000" doc:"How many rows."`
}

type progressOf struct {
	TaskUUIDs []string `query:"task_uuid" required:"true" doc:"The tasks, at most 1,000: the parameter is repeated."`
}

func (in progressOf) tasks() (tasks []uuid.UUID, err error) {
	tasks = make([]uuid.UUID, len(in.TaskUUIDs))
	for i, text := range in.TaskUUIDs {
		if tasks[i], err = uuid.Parse(text); err != nil {
			return nil, invalid("a task_uuid is no UUID", "Give the UUIDs of tasks.")
		}
	}
	return tasks, nil
}

type itemsIn struct {
	claimed
	Stream  string          `path:"stream" json:"-" doc:"The stream's name."`
	Items   json.RawMessage `json:"items" required:"true" doc:"The items, a JSON array of at most 1,000."`
	BatchNo *int32          `json:"batch_no,omitempty" minimum:"1" doc:"Counts the batches that the claim appends to this stream: a repeated batch is saved once."`
}

type valueIn struct {
	claimed
	Name  string          `path:"name" json:"-" doc:"The value's name."`
	Value json.RawMessage `json:"value" required:"true" doc:"Any JSON value."`
}

var readStreamOperation = operation{
	method: http.MethodGet, path: streamPath, id: "readStream",
	summary: "Read a stream of a step, or follow it as server-sent events",
	description: "The items after a number, in the order of their numbers, each once. With Accept: text/event-stream the answer goes on while " +
		"the step runs: each event has the item's number as its id, so a client that connects again with Last-Event-ID misses none, and the " +
		"event end says that the step has ended.",
	in: reflect.TypeFor[streamIn](), out: reflect.TypeFor[pageBody[gen.StreamEntry]](),
	outside: func(ctx context.Context, s *Server, c *caller, in any) (any, error) {
		return s.readStream(ctx, c, *in.(*streamIn))
	},
}

type streamIn struct {
	step
	Stream      string  `path:"stream" json:"-" doc:"The stream's name, such as log."`
	After       int64   `query:"after" default:"0" minimum:"0" doc:"The number of the last item that is known."`
	Search      *string `query:"search" doc:"Items whose text contains these words, in any case of letters."`
	Limit       int32   `query:"limit" default:"1000" minimum:"1" maximum:"10000" doc:"How many items; of events how many are read at a time."`
	LastEventID *string `header:"Last-Event-ID" json:"-" doc:"The same as after, of a client that connects again."`
	Accept      *string `header:"Accept" json:"-" doc:"text/event-stream for server-sent events."`
}

// page reads the next items, and says whether the step had ended before the read.
func (s *Server) page(ctx context.Context, c *caller, in streamIn) (rows []gen.StreamEntry, ended bool, err error) {
	err = s.transact(ctx, c, false, func(ctx context.Context, db executor.DBTX) error {
		e := direct.New(db)
		is, err := e.GetCurrentStepState(ctx, in.StepUUID)
		if err != nil {
			return err
		}
		ended = is.IsTerminal()
		rows, err = e.ReadStream(ctx, sqlfn.ReadStreamParams{
			StepUUID: in.StepUUID, Stream: in.Stream, After: in.After, Limit: in.Limit, Search: value(in.Search),
		})
		return err
	})
	return rows, ended && len(rows) < int(in.Limit), err
}

func (s *Server) readStream(ctx context.Context, c *caller, in streamIn) (any, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	if last := value(in.LastEventID); last != "" {
		number, err := strconv.ParseInt(last, 10, 64)
		if err != nil || number < 0 {
			return nil, invalid("the header Last-Event-ID is no number of an item", "Send the id of the last event.")
		}
		in.After = number
	}
	rows, ended, err := s.page(ctx, c, in)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(value(in.Accept), "text/event-stream") {
		return pageOf(rows), nil
	}
	select {
	case s.waiting <- struct{}{}:
		return &following{s: s, c: c, in: in, rows: rows, ended: ended}, nil
	default:
		return nil, unavailable("too many requests wait for tasks")
	}
}

// following is an answer that continues while the step runs.
type following struct {
	s     *Server
	c     *caller
	in    streamIn
	rows  []gen.StreamEntry
	ended bool
}

// keepAlive is how often a stream without items sends a sign of life.
const keepAlive = 15 * time.Second

// stream writes the items until the step has ended, the client has gone, or the client may no longer read. The stream holds neither a
// connection nor a transaction between two reads.
func (f *following) stream(w http.ResponseWriter, r *http.Request) error {
	defer func() { <-f.s.waiting }()
	ctx := r.Context()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	said := time.Now()
	for wait := firstLook; ; wait = min(wait*3/2, lastLook) {
		_ = control.SetWriteDeadline(time.Now().Add(keepAlive)) // Some writers have no deadline.
		var text []byte
		for _, row := range f.rows {
			line, err := json.Marshal(row)
			if err != nil {
				return nil
			}
			text = fmt.Appendf(text, "id: %d\ndata: %s\n\n", row.ItemNo, line)
			f.in.After = row.ItemNo
		}
		if f.ended {
			text = append(text, "event: end\ndata: {}\n\n"...)
		} else if text == nil && time.Since(said) > keepAlive/2 {
			text = []byte(": the step goes on\n\n")
		}
		if text != nil {
			said = time.Now()
			if _, err := w.Write(text); err != nil {
				return nil
			}
		}
		if err := control.Flush(); err != nil || f.ended {
			return nil
		}
		if len(f.rows) > 0 {
			wait = firstLook
		}
		if len(f.rows) < int(f.in.Limit) && !f.s.rest(ctx, wait) {
			return nil
		}
		var err error
		if f.rows, f.ended, err = f.s.page(ctx, f.c, f.in); err != nil {
			return nil // The client connects again, and gets the refusal as an answer.
		}
	}
}

// rest waits, and reports whether the request continues. It ends when the client has gone or the server stops.
func (s *Server) rest(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
	case <-s.polls.closing:
	}
	return false
}

var valueOperation = operation{
	method: http.MethodGet, path: stepPath + "/values/{name}", id: "waitForValue",
	summary: "Get a value of a step, or wait for its next change",
	description: "Answers when the value has changed more often than after says, when the step has ended, or when the time is over, with the " +
		"value as it is: null if the step has set none.",
	in: reflect.TypeFor[valueWait](), out: reflect.TypeFor[valueBody](),
	outside: func(ctx context.Context, s *Server, c *caller, in any) (any, error) {
		return s.waitForValue(ctx, c, *in.(*valueWait))
	},
}

type valueWait struct {
	step
	Name           string `path:"name" json:"-" doc:"The value's name, such as progress."`
	After          int64  `query:"after" default:"0" minimum:"0" doc:"The last_no of the value that is known; 0 for none."`
	TimeoutSeconds int32  `query:"timeout_seconds" default:"0" minimum:"0" maximum:"3600" doc:"How long to wait; the server may have a shorter limit."`
}

type valueBody struct {
	Value *gen.StreamDetail `json:"value" doc:"Null if the step has set no value of this name."`
}

func (s *Server) waitForValue(ctx context.Context, c *caller, in valueWait) (body valueBody, err error) {
	if err := in.check(); err != nil {
		return body, err
	}
	until := time.Now().Add(min(time.Duration(in.TimeoutSeconds)*time.Second, s.config.MaxWait))
	place := false
	for wait := firstLook; ; wait = min(wait*3/2, lastLook) {
		var is state.StepState
		err = s.transact(ctx, c, false, func(ctx context.Context, db executor.DBTX) error {
			e := direct.New(db)
			var err error
			if is, err = e.GetCurrentStepState(ctx, in.StepUUID); err != nil {
				return err
			}
			rows, err := e.ListStreams(ctx, sqlfn.ListStreamsParams{UUID: in.StepUUID, Name: in.Name, Limit: 1})
			if err == nil && len(rows) > 0 && rows[0].Value != nil {
				body.Value = &rows[0]
			}
			return err
		})
		if err != nil || body.Value != nil && body.Value.LastNo > in.After || is.IsTerminal() || !time.Now().Before(until) {
			return body, err
		}
		if !place {
			select {
			case s.waiting <- struct{}{}:
				defer func() { <-s.waiting }()
				place = true
			default:
				return body, unavailable("too many requests wait for tasks")
			}
		}
		if !s.rest(ctx, min(wait, time.Until(until))) {
			return body, nil
		}
	}
}
