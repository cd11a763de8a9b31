package serve

import (
	"context"
	"encoding/hex"
	"encoding/json"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/internal/together"
)

// arrival is a request for a task, or an event, with its sender.
type arrival[In any] struct {
	c  *caller // belongs to the request's own goroutine: a shared call does not use it
	in In
}

// arrived is the answer to an arrival, with the database's answer about its token.
type arrived[Out any] struct {
	out Out
	c   caller
}

type travelling[In, Out any] = together.Calls[arrival[In], arrived[Out]]

// travellers lets requests of one token share a transaction, as executor.CreateTask does for the callers of a pool: no request waits for
// later requests.
func travellers[In, Out any](
	s *Server, alone func(ctx context.Context, e *direct.Executor, token string, in In) (Out, error),
	shared func(ctx context.Context, e *direct.Executor, token string, arrivals []arrival[In]) ([]Out, error),
) *travelling[In, Out] {
	return &travelling[In, Out]{
		Alone: func(ctx context.Context, a arrival[In]) (made arrived[Out], err error) {
			err = s.transact(ctx, a.c, true, func(ctx context.Context, db executor.DBTX) error {
				made.out, err = alone(ctx, direct.New(db), a.c.token, a.in)
				return err
			})
			made.c = *a.c
			return made, err
		},
		Shared: func(ctx context.Context, arrivals []arrival[In]) ([]arrived[Out], error) {
			first := caller{secret: arrivals[0].c.secret}
			all := make([]arrived[Out], len(arrivals))
			err := s.transact(ctx, &first, true, func(ctx context.Context, db executor.DBTX) error {
				// A request that waits for the identity of one task must not hold up the others.
				if _, err := db.Exec(ctx, "select pg_catalog.set_config('lock_timeout', '100ms', true)"); err != nil {
					return err
				}
				made, err := shared(ctx, direct.New(db), first.token, arrivals)
				for i := range made {
					all[i].out = made[i]
				}
				return err
			})
			for i := range all {
				all[i].c = first
			}
			return all, err
		},
		Apart: pgerr.RolledBack,
	}
}

// travel makes a request with others of its key. The caller learns of its token from the call that was made for it.
func travel[In, Out any](ctx context.Context, calls *travelling[In, Out], key string, c *caller, in In) (any, error) {
	made, err := calls.Do(ctx, key, arrival[In]{c, in})
	if made.c.token != "" {
		*c = made.c
	}
	return made.out, err
}

func (s *Server) creationCalls() *travelling[creation, createdTask] {
	return travellers(s, func(ctx context.Context, e *direct.Executor, token string, in creation) (createdTask, error) {
		in.setToken(token)
		return createTask(ctx, e, in)
	}, func(ctx context.Context, e *direct.Executor, token string, arrivals []arrival[creation]) ([]createdTask, error) {
		created, err := createTasks(ctx, e, sharedCreation(arrivals, token))
		all := make([]createdTask, len(created.Items))
		for i, one := range created.Items {
			all[i] = createdTask{one.TaskUUID, one.Created}
		}
		return all, err
	})
}

func (s *Server) emissionCalls() *travelling[event, gen.EmittedEvent] {
	return travellers(s, func(ctx context.Context, e *direct.Executor, _ string, in event) (gen.EmittedEvent, error) {
		return emitEvent(ctx, e, in)
	}, func(ctx context.Context, e *direct.Executor, _ string, arrivals []arrival[event]) ([]gen.EmittedEvent, error) {
		all := sqlfn.EmitEventsParams{Namespace: arrivals[0].in.Namespace}
		for _, a := range arrivals {
			all.Names, all.Keys, all.Payloads = append(all.Names, a.in.Name), append(all.Keys, a.in.Key), append(all.Payloads, a.in.Payload)
			if key := a.in.idempotencyKey(); key != nil {
				all.IdempotencyKeys = append(all.IdempotencyKeys, *key)
			}
		}
		return e.EmitEvents(ctx, all)
	})
}

// travels returns the common part of events that may share a transaction with this event: the token and the namespace.
func (in event) travels(c *caller) (key string, may bool) {
	own := in.idempotencyKey()
	may = c.proxied == nil && !c.session && (own == nil || *own != "") && (in.IdempotencyHeader == nil || in.IdempotencyKey == nil)
	return hex.EncodeToString(c.secret[:]) + given(own != nil) + in.Namespace, may
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
func sharedCreation(arrivals []arrival[creation], token string) creations {
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
