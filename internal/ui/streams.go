package ui

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

const (
	logShown     = 200 // of the lines of a log: the newest
	streamsShown = 100 // of the values and streams of a step, which are 16 at most
)

// stepStreams are the values and streams of a step, and the end of its log.
type stepStreams struct {
	Values, Streams []gen.StreamDetail
	Log             []logLine
	Search          string
	// First and Last are the numbers of the first and the last kept item of the log.
	First, Last int64
}

// logLine is an item of a log.
type logLine struct {
	No         int64
	Attempt    int32
	At         time.Time
	Level, Msg string
	Rest       string
}

// progress is the progress of a task or a step.
type progress struct {
	Done float64 `json:"done"`
	Text string  `json:"text"`
	Step string  `json:"-"`
}

// readStreams reads the values and streams of a step. The search covers the whole log. The first matches are shown.
func (q *query) readStreams(ctx context.Context, step uuid.UUID) (s stepStreams, err error) {
	s.Search = cut(q.r.URL.Query().Get("log"), 200)
	found, err := q.ListStreams(ctx, sqlfn.ListStreamsParams{UUID: step, Limit: streamsShown})
	for _, f := range found {
		if f.Value != nil {
			s.Values = append(s.Values, f)
			continue
		}
		s.Streams = append(s.Streams, f)
		if f.Name == "log" {
			s.First, s.Last = f.FirstNo, f.LastNo
		}
	}
	if err != nil || s.Last == 0 {
		return s, err
	}
	params := sqlfn.ReadStreamParams{StepUUID: step, Stream: "log", Limit: logShown, Search: s.Search}
	if s.Search == "" {
		params.After = max(0, s.Last-logShown)
	}
	rows, err := q.ReadStream(ctx, params)
	for _, row := range rows {
		s.Log = append(s.Log, lineOf(row))
	}
	return s, err
}

func lineOf(row gen.StreamEntry) logLine {
	line := logLine{No: row.ItemNo, Attempt: row.Attempt, At: row.WrittenAt, Msg: string(row.Item)}
	var fields map[string]json.RawMessage
	if json.Unmarshal(row.Item, &fields) != nil || json.Unmarshal(fields["msg"], &line.Msg) != nil {
		return line
	}
	_ = json.Unmarshal(fields["level"], &line.Level) // A line may lack them.
	_ = json.Unmarshal(fields["time"], &line.At)
	var rest []string
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if key != "msg" && key != "level" && key != "time" {
			rest = append(rest, key+"="+string(fields[key]))
		}
	}
	line.Rest = strings.Join(rest, " ")
	return line
}

// readProgress reads the progress of tasks, for a list.
func (q *query) readProgress(ctx context.Context, tasks []executor.TaskDetail) (map[uuid.UUID]progress, error) {
	var open []uuid.UUID
	for _, t := range tasks {
		if !t.Complete {
			open = append(open, t.TaskUUID)
		}
	}
	if len(open) == 0 {
		return nil, nil
	}
	rows, err := q.ListProgress(ctx, open)
	found := map[uuid.UUID]progress{}
	for _, row := range rows {
		var p progress
		if json.Unmarshal(row.Value, &p) == nil {
			p.Step = row.StepName
			found[row.TaskUUID] = p
		}
	}
	return found, err
}

// progressOf reads a value as a progress. It returns nil for another value.
func progressOf(value gen.StreamDetail) *progress {
	var p progress
	if value.Name != "progress" || json.Unmarshal(value.Value, &p) != nil {
		return nil
	}
	return &p
}

// markStep is the mark of a step's screen: it includes the values and streams.
func markStep(ctx context.Context, q *query) (any, error) {
	task, err := markTask(ctx, q)
	if err != nil {
		return nil, err
	}
	step, err := q.stepUUID()
	if err != nil {
		return nil, err
	}
	streams, err := q.ListStreams(ctx, sqlfn.ListStreamsParams{UUID: step, Limit: streamsShown})
	return []any{task, streams}, err
}
