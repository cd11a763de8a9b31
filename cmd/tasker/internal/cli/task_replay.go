package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/internal/replay"
)

func (a *app) taskReplay() *cobra.Command {
	var (
		run      string
		packages []string
		update   bool
	)
	command := a.leaf(cobra.Command{
		Use:   "replay PATH",
		Short: "Replay exported tasks with the code of a Go package",
		Long: `Replay exported tasks (the file or folder that "tasker task export" wrote) with the current code, and report
where this code diverges from the record. The replay is a Go test that calls workertest.Replay without a file. The command
runs the tests of --package whose names match --run by go test, with the folder in TASKER_REPLAY. --update accepts
divergences. The exit code is 8 if a test fails.

Without --package the command only reads the files and counts the tasks.`,
		Example: "  tasker task replay exported/ --package ./jobs\n  tasker task replay exported/ --package ./... --run Replay --update",
	}, "an object: tasks, steps, open; nothing with --package", func(ctx context.Context, args []string) error {
		path, err := filepath.Abs(args[0])
		if err != nil {
			return err
		}
		if len(packages) > 0 {
			return a.runReplay(ctx, path, packages, run, update)
		}
		counts := map[string]int{"tasks": 0, "steps": 0, "open": 0}
		err = replay.Read(path, func(e *replay.Export) error {
			counts["tasks"]++
			counts["steps"] += len(e.Steps)
			if !e.Task.Complete {
				counts["open"]++
			}
			return ctx.Err()
		})
		if err != nil {
			return &problem{Exit: exitInvalid, Message: err.Error(), Hint: "Name a file or folder that tasker task export wrote."}
		}
		return a.show(counts, func() error {
			return a.out.Say("%s with %s, %d open\n", count(counts["tasks"], "task"), count(counts["steps"], "step"), counts["open"])
		})
	})
	flags := command.Flags()
	flags.StringSliceVar(&packages, "package", nil, "the package of the tests; may be given more than once")
	flags.StringVar(&run, "run", "Replay", "run the tests whose names match this expression")
	flags.BoolVar(&update, "update", false, "accept divergences: write them into the files")
	return command
}

// runReplay runs the tests of packages with the exported tasks.
func (a *app) runReplay(ctx context.Context, path string, packages []string, run string, update bool) error {
	if _, err := os.Stat(path); err != nil {
		return err
	}
	arguments := append([]string{"test", "-count=1", "-run", run}, packages...)
	test := exec.CommandContext(ctx, "go", arguments...)
	test.Stdout, test.Stderr = a.Out, a.Err
	test.Env = append(os.Environ(), replay.PathVariable+"="+path)
	if update {
		test.Env = append(test.Env, replay.UpdateVariable+"=1")
	}
	err := test.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return silent
	case err != nil:
		return fmt.Errorf("go test: %w", err)
	}
	return nil
}
