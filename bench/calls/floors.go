package main

import (
	"context"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/bench/internal/floor"
	"github.com/pgtasker/pgtasker/bench/internal/lab"
)

// floorArm is a database in which the rows of the calls are written without an engine.
type floorArm struct {
	arm
	floor *floor.Floor
	made  []uuid.UUID // the tasks whose rows were written last
}

// recorder is the database whose calls are recorded.
var recorder struct {
	arm
	*floor.Recorder
}

// openFloors prepares the recorder and the floors. The first floor writes only the rows.
func openFloors(ctx context.Context, server *lab.Server) (floors []*floorArm, err error) {
	if recorder.pool, err = server.New(ctx); err != nil {
		return nil, err
	}
	if err := recorder.prepare(ctx); err != nil {
		return nil, err
	}
	if recorder.Recorder, err = floor.NewRecorder(ctx, recorder.pool); err != nil {
		return nil, err
	}
	for _, f := range []struct {
		name string
		floor.Kind
	}{
		{"the rows alone", floor.Kind{}},
		{"and locks, the look", floor.Kind{Look: true}},
		{"without checks", floor.Kind{NoChecks: true}},
		{"without logs", floor.Kind{NoChecks: true, NoLog: true}},
	} {
		a := &floorArm{arm: arm{name: f.name}}
		if a.pool, err = server.New(ctx); err != nil {
			return nil, err
		}
		if err := a.prepare(ctx); err != nil {
			return nil, err
		}
		if a.floor, err = floor.New(ctx, a.conn.Conn(), f.Kind); err != nil {
			return nil, err
		}
		floors = append(floors, a)
	}
	return floors, nil
}

func closeFloors(floors []*floorArm) {
	recorder.conn.Release()
	for _, f := range floors {
		f.conn.Release()
	}
}

// record records the load, and writes its rows once without the engine. Both ways must leave the same rows.
func record(ctx context.Context, floors []*floorArm, r rows) ([]floor.Call, error) {
	if err := finishHeld(ctx, &recorder.arm); err != nil {
		return nil, err
	}
	calls, these, err := r.record(ctx)
	if err != nil {
		return nil, err
	}
	a := floors[0]
	if err := r.before(ctx, a); err != nil {
		return nil, err
	}
	before, err := floor.Counts(ctx, a.conn.Conn(), a.pool)
	if err != nil {
		return nil, err
	}
	if _, err := r.write(ctx, a, calls); err != nil {
		return nil, err
	}
	after, err := floor.Counts(ctx, a.conn.Conn(), a.pool)
	if err != nil {
		return nil, err
	}
	return calls, floor.Compare(ctx, recorder.pool, a.pool, these, a.made, floor.Add(calls), floor.Since(before, after))
}

// turn writes the rows of a load once and returns the cost of a unit.
func (a *floorArm) turn(ctx context.Context, r rows, calls []floor.Call) (sample, error) {
	return load{
		before: func(ctx context.Context, _ *arm) error { return r.before(ctx, a) },
		work:   func(ctx context.Context, _ *arm) (int, error) { return r.write(ctx, a, calls) },
	}.turn(ctx, &a.arm)
}

// rows are the rows of a load.
type rows interface {
	// record does the load in the recorder's database. It returns the writes of the load's calls, and the tasks.
	record(ctx context.Context) ([]floor.Call, []uuid.UUID, error)
	// before prepares the database for write. Its cost is not measured.
	before(ctx context.Context, a *floorArm) error
	// write writes the rows for tasks that it leaves in a.made, and returns the number of units.
	write(ctx context.Context, a *floorArm, calls []floor.Call) (int, error)
}

// drained are tasks that are drained by exchanges with a fixed number of results and claims.
type drained struct {
	template string
	n, batch int
}

func (d drained) record(ctx context.Context) (calls []floor.Call, tasks []uuid.UUID, err error) {
	if tasks, err = floor.EngineCreate(ctx, recorder.conn, d.template, d.n); err != nil {
		return nil, nil, err
	}
	calls, err = recorder.Drain(ctx, recorder.conn.Conn(), tasks, d.batch)
	return calls, tasks, err
}

func (d drained) before(ctx context.Context, a *floorArm) (err error) {
	a.made, err = floor.EngineCreate(ctx, a.conn, d.template, d.n)
	return err
}

func (d drained) write(ctx context.Context, a *floorArm, calls []floor.Call) (int, error) {
	return floor.Steps(calls), a.floor.Replay(ctx, d.template, a.made, calls)
}

// created are tasks that are created, a fixed number in each call.
type created struct {
	template string
	n, batch int
}

func (c created) record(ctx context.Context) (calls []floor.Call, tasks []uuid.UUID, err error) {
	if err := recorder.Skip(ctx); err != nil {
		return nil, nil, err
	}
	for range c.n / c.batch {
		var made []uuid.UUID
		if c.batch == 1 {
			made = make([]uuid.UUID, 1)
			err = recorder.conn.QueryRow(ctx, `select c.task_uuid from tasker.create_task('bench', $1, '{"order": 4711}') as c`, c.template).Scan(&made[0])
		} else {
			made, err = floor.EngineCreate(ctx, recorder.conn, c.template, c.batch)
		}
		if err != nil {
			return nil, nil, err
		}
		tasks = append(tasks, made...)
	}
	call, err := recorder.Take(ctx, tasks)
	return []floor.Call{call}, tasks, err
}

func (c created) before(ctx context.Context, a *floorArm) error { return drainAll(ctx, &a.arm) }

func (c created) write(ctx context.Context, a *floorArm, _ []floor.Call) (_ int, err error) {
	a.made = nil
	for range c.n / c.batch {
		made := make([]uuid.UUID, 1)
		if c.batch == 1 {
			made[0], err = a.floor.Create(ctx, c.template)
		} else {
			made, err = a.floor.CreateMany(ctx, c.template, c.batch)
		}
		if err != nil {
			return 0, err
		}
		a.made = append(a.made, made...)
	}
	return c.n, nil
}

// started are tasks whose first step is claimed in the call that creates them.
type started struct {
	template string
	n        int
}

func (s started) record(ctx context.Context) ([]floor.Call, []uuid.UUID, error) {
	if err := recorder.Skip(ctx); err != nil {
		return nil, nil, err
	}
	recorder.today, recorder.held = true, nil
	if _, err := starts(s.template, s.n)(ctx, &recorder.arm); err != nil {
		return nil, nil, err
	}
	var tasks []uuid.UUID
	for _, h := range recorder.held {
		task := h.step
		task[14], task[15] = 0, 0
		tasks = append(tasks, task)
	}
	call, err := recorder.Take(ctx, tasks)
	if err != nil {
		return nil, nil, err
	}
	// Only the first start writes the row of the worker.
	for _, what := range []string{"workers INSERT", "lease_clock INSERT", "lease_clock UPDATE"} {
		delete(call.Writes, what)
	}
	for i, h := range recorder.held {
		call.Hold(i, h.claim)
	}
	return []floor.Call{call}, tasks, nil
}

func (s started) before(ctx context.Context, a *floorArm) error { return finishHeld(ctx, &a.arm) }

func (s started) write(ctx context.Context, a *floorArm, calls []floor.Call) (int, error) {
	worker := uuid.New()
	a.made = nil
	for i := range s.n {
		claim := calls[0].Held(i)
		step, err := a.floor.Start(ctx, s.template, worker, claim)
		if err != nil {
			return 0, err
		}
		a.held = append(a.held, held{step, claim})
		task := step
		task[14], task[15] = 0, 0
		a.made = append(a.made, task)
	}
	return s.n, nil
}

// lived are tasks that are created in one call and drained.
type lived struct {
	template string
	n, batch int
}

func (l lived) record(ctx context.Context) ([]floor.Call, []uuid.UUID, error) {
	first, tasks, err := created{l.template, l.n, l.n}.record(ctx)
	if err != nil {
		return nil, nil, err
	}
	calls, err := recorder.Drain(ctx, recorder.conn.Conn(), tasks, l.batch)
	return append(first, calls...), tasks, err
}

func (l lived) before(ctx context.Context, a *floorArm) error { return finishHeld(ctx, &a.arm) }

func (l lived) write(ctx context.Context, a *floorArm, calls []floor.Call) (int, error) {
	if _, err := (created{l.template, l.n, l.n}).write(ctx, a, nil); err != nil {
		return 0, err
	}
	return floor.Steps(calls), a.floor.Replay(ctx, l.template, a.made, calls[1:])
}
