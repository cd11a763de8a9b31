package serve

import (
	"context"
	"encoding/hex"
	"encoding/json"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/internal/together"
)

// arrival is a request for a task, with its sender.
type arrival struct {
	c  *caller // belongs to the request's own goroutine: a shared call does not use it
	in creation
}

// arrived is the answer to an arrival, with the database's answer about its token.
type arrived struct {
	createdTask
	c caller
}

// creationCalls lets requests of one token for tasks of one template share a transaction, as executor.CreateTask does for the callers of a
// pool: no request waits for later requests.
func (s *Server) creationCalls() *together.Calls[arrival, arrived] {
	return &together.Calls[arrival, arrived]{
		Alone: func(ctx context.Context, a arrival) (made arrived, err error) {
			err = s.transact(ctx, a.c, true, func(ctx context.Context, db executor.DBTX) error {
				a.in.setToken(a.c.token)
				made.createdTask, err = createTask(ctx, direct.New(db), a.in)
				return err
			})
			made.c = *a.c
			return made, err
		},
		Shared: func(ctx context.Context, arrivals []arrival) ([]arrived, error) {
			first := caller{secret: arrivals[0].c.secret}
			all := make([]arrived, len(arrivals))
			err := s.transact(ctx, &first, true, func(ctx context.Context, db executor.DBTX) error {
				// A request that waits for the identity of one task must not hold up the others.
				if _, err := db.Exec(ctx, "select pg_catalog.set_config('lock_timeout', '100ms', true)"); err != nil {
					return err
				}
				created, err := createTasks(ctx, direct.New(db), sharedCreation(arrivals, first.token))
				if err != nil {
					return err
				}
				for i, one := range created.Items {
					all[i].createdTask = createdTask{one.TaskUUID, one.Created}
				}
				return nil
			})
			for i := range all {
				all[i].c = first
			}
			return all, err
		},
		Apart: pgerr.RolledBack,
	}
}

// travels returns the common part of requests that may share a transaction with this request: the token, the template and the options. Only
// contexts, keys and UUIDs may differ.
func (in creation) travels(c *caller) (key string, may bool) {
	if c.proxied != nil || c.session || in.hasTwoKeys() || in.DebounceSeconds != nil || in.DebounceLongestSeconds != nil ||
		in.policy() != (executor.TaskPolicy{}) {
		return "", false
	}
	// A call has keys for all of its tasks or for none. The same holds for UUIDs.
	options, err := json.Marshal(in.newTask)
	return hex.EncodeToString(c.secret[:]) + given(in.key() != nil) + given(in.TaskUUID != nil) + string(options), err == nil
}

func given(is bool) string {
	if is {
		return "+"
	}
	return "-"
}

// sharedCreation is the request for the tasks of arrivals that travel together.
func sharedCreation(arrivals []arrival, token string) creations {
	all := creations{newTask: arrivals[0].in.newTask, Contexts: make([]json.RawMessage, len(arrivals))}
	all.setToken(token)
	for i, a := range arrivals {
		all.Contexts[i] = a.in.Context
		if key := a.in.key(); key != nil {
			all.IdentityKeys = append(all.IdentityKeys, *key)
		}
		if a.in.TaskUUID != nil {
			all.TaskUUIDs = append(all.TaskUUIDs, *a.in.TaskUUID)
		}
	}
	return all
}
