package replay

import (
	"context"
	"slices"

	"github.com/pgtasker/pgtasker/worker"
)

// The environment variables of a replay by "tasker task replay".
const (
	// PathVariable names the file or folder that workertest.Replay replays if its caller names none.
	PathVariable = "TASKER_REPLAY"
	// UpdateVariable, if it is not empty, has the replay accept divergences.
	UpdateVariable = "TASKER_REPLAY_UPDATE"
)

// Files replays the tasks of files and folders, and calls each with the report of every one. It holds one task at a time.
func Files(ctx context.Context, w *worker.Worker, options Options, each func(*Export, Report), paths ...string) error {
	for _, path := range paths {
		err := Read(path, func(e *Export) error {
			report, err := Task(ctx, w, e, options)
			if err == nil {
				each(e, report)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Accept writes divergences into the documents in which they were found, so that further replays do not report them. The line of code is
// no part of an accepted divergence.
func Accept(exports []*Export, reports []Report) error {
	files := map[string]map[int][]string{}
	var order []string
	for i, e := range exports {
		if len(reports[i].Divergences) == 0 {
			continue
		}
		if files[e.File] == nil {
			files[e.File] = map[int][]string{}
			order = append(order, e.File)
		}
		keys := slices.Clone(e.Accepted)
		for _, d := range reports[i].Divergences {
			keys = append(keys, d.key())
		}
		files[e.File][e.Line] = keys
	}
	for _, file := range order {
		if err := accept(file, files[file]); err != nil {
			return err
		}
	}
	return nil
}
