package cli

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/pgtasker/pgtasker/cmd/tasker/internal/term"
	"github.com/pgtasker/pgtasker/gen"
)

// liveWorker is how long after it was last seen a worker still counts as running, the same as in list_unserved_steps().
const liveWorker = time.Minute

func (a *app) workerList() *cobra.Command {
	var (
		all    bool
		within time.Duration
	)
	command := a.leaf(cobra.Command{
		Use:   "list",
		Short: "List the workers that were seen recently, with their claimed steps",
		Long: `List the workers that were seen recently, with their claimed steps. A running worker is seen every few seconds.
A stopped worker stays known for a while, and --all lists it, too. One process may run several workers.`,
		Example: "  tasker worker list --watch\n  tasker audit worker vm:908          # what one of them recorded",
	}, "an array of tasker.worker_details: list_workers()", func(ctx context.Context, _ []string) error {
		e, err := a.executor(ctx)
		if err != nil {
			return err
		}
		now, err := e.Clock(ctx)
		if err != nil {
			return err
		}
		if all {
			within = 0
		}
		workers, err := e.ListWorkers(ctx, within)
		if err != nil {
			return err
		}
		table := term.NewTable("WORKER", "NAME", "VERSION", "NAMESPACES", "CLAIMED", "SEEN", "SINCE").Yield("SINCE", "NAMESPACES", "VERSION")
		return list(a, workers, "no worker was seen in that time", table, func(w gen.WorkerDetail) []term.Cell {
			namespaces := "all"
			if len(w.Namespaces) > 0 {
				namespaces = strings.Join(w.Namespaces, ", ")
			}
			color := term.Green
			if now.Sub(w.LastSeenAt) > liveWorker {
				color = term.Yellow
			}
			return []term.Cell{
				a.id(w.WorkerUUID), term.Text(workerName(w.Name)), term.Text(text(w.Version)), term.Text(namespaces), term.Number(w.ClaimedCount),
				term.Colored(distance(&w.LastSeenAt, now), color), term.Text(a.at(w.RegisteredAt)).Uncut(),
			}
		})
	})
	command.Flags().DurationVar(&within, "seen", 10*time.Minute, "workers that were seen within this time")
	command.Flags().BoolVar(&all, "all", false, "all known workers")
	return a.watched(command)
}

// workerName returns a worker's name. If the name is a UUID, because the worker has given no name, it returns the short id.
func workerName(name string) string {
	if id, err := uuid.Parse(name); err == nil {
		return shortID(id)
	}
	return name
}
