package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
)

// registry is a cell's table of namespaces. A row says that the namespace is in this cell, or that this cell hands it over to another cell,
// or has handed it over. Only the cell that has a namespace changes its row, so no two cells have the namespace, even if a mover crashes.
//
//	here ──▶ draining (to another cell, its tasks here run to their ends) ──▶ gone
//
// The row of the new cell names the old cell while the old cell may still know a task by its key. Each move increments the epoch of the
// namespace, so that an outdated row that arrives late changes nothing.
const registry = `
create table if not exists cell_namespaces (
  namespace  text  primary key,
  state      text  not null check (state in ('here', 'draining', 'gone')),
  moved_to   text  check ((state = 'here') = (moved_to is null)),
  came_from  text  check (came_from is null or state = 'here'),
  epoch      integer  not null default 1
)`

// word is the row of a cell about a namespace.
type word struct {
	state             string
	movedTo, cameFrom *string
	epoch             int
}

var (
	// ErrHomeless says that no cell has the namespace.
	ErrHomeless = errors.New("no cell has this namespace")
	// errMoved says that the namespace is not in this cell, or has left it.
	errMoved = errors.New("the namespace has moved")
)

// readWord returns the word of a cell about a namespace. A lock, such as "for share", keeps the word true until the end of the transaction.
func readWord(ctx context.Context, db executor.DBTX, namespace, lock string) (word, error) {
	var w word
	err := db.QueryRow(ctx, "select state, moved_to, came_from, epoch from cell_namespaces where namespace = $1 "+lock, namespace).
		Scan(&w.state, &w.movedTo, &w.cameFrom, &w.epoch)
	return w, err
}

// Settle gives a new namespace its first cell. It refuses a namespace that another cell has or had, and every namespace while a cell is
// away.
func (c *Cells) Settle(ctx context.Context, namespace, name string) error {
	home, err := c.named(name)
	if err != nil {
		return err
	}
	switch where, err := c.lookup(ctx, namespace); {
	case err == nil && where == home:
		return nil
	case err == nil:
		return fmt.Errorf("cell %s has namespace %s", where.Name, namespace)
	case !errors.Is(err, ErrHomeless):
		return err
	}
	// The first cell by name decides: if two programs settle a namespace at once, only one writes its row there. If another cell is to be
	// the home, the deciding cell hands the namespace over to it, as in a move.
	first := slices.MinFunc(c.all, func(a, b *Cell) int { return strings.Compare(a.Name, b.Name) })
	w := word{state: "here", epoch: 1}
	if home != first {
		w.state, w.movedTo = "draining", &name
	}
	tag, err := first.Pool.Exec(ctx, `
		insert into cell_namespaces (namespace, state, moved_to) values ($1, $2, $3) on conflict do nothing`, namespace, w.state, w.movedTo)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		if where, err := c.lookup(ctx, namespace); err != nil || where != home {
			return errors.Join(fmt.Errorf("namespace %s has just been settled elsewhere", namespace), err)
		}
		return nil
	}
	if home == first {
		return nil
	}
	if err := home.receive(ctx, namespace, first.Name, w.epoch+1); err != nil {
		return err
	}
	_, err = c.Gone(ctx, namespace, first.Name)
	return err
}

// home returns the cell for the new tasks of a namespace.
func (c *Cells) home(ctx context.Context, namespace string) (*Cell, error) {
	c.mutex.Lock()
	home := c.homes[namespace]
	c.mutex.Unlock()
	if home != nil {
		return home, nil
	}
	home, err := c.lookup(ctx, namespace)
	if err != nil {
		return nil, err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.homes[namespace] = home
	return home, nil
}

func (c *Cells) forget(namespace string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(c.homes, namespace)
}

// lookup asks all cells for the place of a namespace. The cell that hands the namespace over decides about the new cell, and the first
// reader notes that in the new cell. So the next request finishes a move whose mover has crashed.
func (c *Cells) lookup(ctx context.Context, namespace string) (*Cell, error) {
	type said struct {
		word
		known bool
	}
	words, away, err := everywhere(ctx, c, func(ctx context.Context, cell *Cell) (said, error) {
		w, err := readWord(ctx, cell.Pool, namespace, "")
		if errors.Is(err, pgx.ErrNoRows) {
			return said{}, nil
		}
		return said{w, true}, err
	})
	if err != nil {
		return nil, err
	}
	// The word with the highest epoch counts. A cell may have an older word if its server was replaced by a standby that lacks the end of
	// the log.
	var latest *Cell
	for cell, w := range words {
		if w.known && w.state != "gone" && (latest == nil || w.epoch > words[latest].epoch) {
			latest = cell
		}
	}
	for cell, w := range words {
		if latest == nil || cell == latest || !w.known || w.state != "here" {
			continue
		}
		if w.epoch == words[latest].epoch {
			return nil, fmt.Errorf("cells %s and %s both have namespace %s, and neither says so later: correct the row of one", cell.Name, latest.Name, namespace)
		}
		if err := latest.supersede(ctx, namespace, cell, w.epoch); err != nil {
			return nil, err
		}
	}
	switch {
	case latest != nil && words[latest].state == "here":
		return latest, nil
	case latest != nil:
		to, err := c.named(*words[latest].movedTo)
		if err != nil {
			return nil, err
		}
		return to, to.receive(ctx, namespace, latest.Name, words[latest].epoch+1)
	}
	if len(away) > 0 {
		return nil, &AwayError{away}
	}
	return nil, fmt.Errorf("namespace %s: %w", namespace, ErrHomeless)
}

// supersede corrects a cell with an outdated word about a namespace. The cell hands the namespace over again, and requests still find the
// tasks that it has, also the tasks that it has made since.
func (c *Cell) supersede(ctx context.Context, namespace string, old *Cell, epoch int) error {
	if _, err := c.Pool.Exec(ctx, `
		update cell_namespaces set came_from = $2 where namespace = $1 and state = 'here' and came_from is null`, namespace, old.Name); err != nil {
		return err
	}
	_, err := old.Pool.Exec(ctx, `
		update cell_namespaces set state = 'draining', moved_to = $2, came_from = null
		 where namespace = $1 and state = 'here' and epoch = $3`, namespace, c.Name, epoch)
	return err
}

// receive records that a namespace has come from another cell, according to the word of that cell.
func (c *Cell) receive(ctx context.Context, namespace, from string, epoch int) error {
	_, err := c.Pool.Exec(ctx, `
		insert into cell_namespaces as n (namespace, state, came_from, epoch) values ($1, 'here', $2, $3)
		on conflict (namespace) do update set state = 'here', moved_to = null, came_from = excluded.came_from, epoch = excluded.epoch
		 where n.state = 'gone' and n.epoch < excluded.epoch`, namespace, from, epoch)
	return err
}

// Move hands a namespace over: from now on its new tasks are created in the other cell. Old tasks continue in the old cell, so workers
// serve both cells. Gone says when the old cell is no longer needed. Move may be repeated.
func (c *Cells) Move(ctx context.Context, namespace, to string) error {
	target, err := c.named(to)
	if err != nil {
		return err
	}
	from, err := c.lookup(ctx, namespace)
	if err != nil || from == target {
		return err
	}
	// This waits for creations that have found the namespace in this cell, since they hold the row.
	var epoch int
	err = from.Pool.QueryRow(ctx, `
		update cell_namespaces set state = 'draining', moved_to = $2
		 where namespace = $1 and state = 'here' and came_from is null
		returning epoch`, namespace, to).Scan(&epoch)
	if errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("namespace %s is being moved already: wait until the cell that it comes from is rid of it", namespace)
	}
	if err != nil {
		return err
	}
	c.forget(namespace)
	return target.receive(ctx, namespace, from.Name, epoch+1)
}

// Gone ends a move when the old cell has no task of the namespace left: no running task, and no task that a repeated request would have to
// find. It returns how many tasks are left.
func (c *Cells) Gone(ctx context.Context, namespace, from string) (left int, err error) {
	old, err := c.named(from)
	if err != nil {
		return 0, err
	}
	tasks, err := old.executor().ListTasks(ctx, sqlfn.ListTasksParams{Namespace: namespace, Limit: 10_000})
	if err != nil || len(tasks) > 0 {
		return len(tasks), err
	}
	var to string
	err = old.Pool.QueryRow(ctx, `
		update cell_namespaces set state = 'gone' where namespace = $1 and state in ('draining', 'gone') returning moved_to`,
		namespace).Scan(&to)
	if err != nil {
		return 0, err
	}
	home, err := c.named(to)
	if err != nil {
		return 0, err
	}
	_, err = home.Pool.Exec(ctx, "update cell_namespaces set came_from = null where namespace = $1 and came_from = $2", namespace, from)
	return 0, err
}
