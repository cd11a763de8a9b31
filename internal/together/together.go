// Package together lets concurrent calls of the same kind in one process share a call of the database. No call waits for later
// calls. The first call is sent at once. Calls that arrive before it has returned are then sent together.
package together

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// most is the largest number of calls that share a call of the database.
	most = 200
	// patience is the longest time for which calls wait for a call under way. So a call that waits for a lock does not hold up
	// later calls.
	patience = 100 * time.Millisecond
)

// Calls are calls of one kind. The zero value is ready.
type Calls[In, Out any] struct {
	// Alone makes one call. Shared makes a call for many callers and returns an answer for each, in their order.
	Alone  func(ctx context.Context, in In) (Out, error)
	Shared func(ctx context.Context, in []In) ([]Out, error)
	// Apart says whether an error of Shared means that nothing was done. If so, each call is made alone.
	Apart func(err error) bool

	mu   sync.Mutex
	ways map[string]*way[In, Out]
}

// way has the waiting calls of one key, while a call of that key is under way. Calls with different keys share nothing.
type way[In, Out any] struct{ waiting []*call[In, Out] }

type call[In, Out any] struct {
	ctx    context.Context // the call ends with its context
	in     In
	answer chan answer[Out]
}

// answer is the answer of a shared call to one of its callers: a result, an error, or the order to make the call alone. If
// other calls wait, a caller that has made its call alone then calls `land`.
type answer[Out any] struct {
	out   Out
	err   error
	alone bool
	land  func()
}

// Do makes a call, alone or together with other calls of its key. Do returns when ctx ends. The other calls continue.
func (c *Calls[In, Out]) Do(ctx context.Context, key string, in In) (out Out, err error) {
	own := &call[In, Out]{ctx: ctx, in: in, answer: make(chan answer[Out], 1)}
	if land := c.join(key, own); land != nil {
		defer land()
		return c.Alone(ctx, in)
	}
	select {
	case a := <-own.answer:
		return c.take(own, a)
	case <-ctx.Done():
	}
	if c.leave(key, own) {
		return out, ctx.Err()
	}
	// The call is under way. If an answer has arrived, return it.
	select {
	case a := <-own.answer:
		return c.take(own, a)
	default:
		// If the call is to be made alone, nothing makes it, since its caller has gone. Later calls must not wait for it.
		go func() {
			if a := <-own.answer; a.land != nil {
				a.land()
			}
		}()
		return out, ctx.Err()
	}
}

// take returns the answer to a caller, which makes its call alone if the answer demands that.
func (c *Calls[In, Out]) take(own *call[In, Out], a answer[Out]) (Out, error) {
	if a.land != nil {
		defer a.land()
	}
	if a.alone {
		return c.Alone(own.ctx, own.in)
	}
	return a.out, a.err
}

// join adds a call to the waiting calls. If no call is under way, the caller makes its call at once, and calls `land` when the
// call has returned.
func (c *Calls[In, Out]) join(key string, own *call[In, Out]) (land func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w, busy := c.ways[key]; busy {
		w.waiting = append(w.waiting, own)
		return nil
	}
	if c.ways == nil {
		c.ways = map[string]*way[In, Out]{}
	}
	c.ways[key] = &way[In, Out]{}
	return c.begin(key)
}

// begin returns a function that ends a call under way. It ends the call once, when the call returns or when patience
// is over.
func (c *Calls[In, Out]) begin(key string) (land func()) {
	over := sync.OnceFunc(func() { c.next(key) })
	timer := time.AfterFunc(patience, over)
	return func() {
		timer.Stop()
		over()
	}
}

// leave removes a call that still waits.
func (c *Calls[In, Out]) leave(key string, own *call[In, Out]) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	w, busy := c.ways[key]
	if !busy {
		return false
	}
	i := slices.Index(w.waiting, own)
	if i < 0 {
		return false
	}
	w.waiting = slices.Delete(w.waiting, i, i+1)
	return true
}

// next sends the waiting calls.
func (c *Calls[In, Out]) next(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.ways[key]
	if len(w.waiting) == 0 {
		delete(c.ways, key)
		return
	}
	n := min(len(w.waiting), most)
	group := slices.Clone(w.waiting[:n])
	w.waiting = slices.Delete(w.waiting, 0, n)
	land := c.begin(key)
	if n == 1 {
		group[0].answer <- answer[Out]{alone: true, land: land}
		return
	}
	go c.share(group, land)
}

// share makes one call for a group. The call ends early only if every caller has gone.
func (c *Calls[In, Out]) share(group []*call[In, Out], land func()) {
	defer land()
	ctx, cancel := context.WithCancel(context.WithoutCancel(group[0].ctx))
	defer cancel()
	var here atomic.Int64
	here.Store(int64(len(group)))
	in := make([]In, len(group))
	for i, one := range group {
		in[i] = one.in
		defer context.AfterFunc(one.ctx, func() {
			if here.Add(-1) == 0 {
				cancel()
			}
		})()
	}
	out, err := c.Shared(ctx, in)
	apart := err != nil && c.Apart(err)
	for i, one := range group {
		a := answer[Out]{err: err, alone: apart}
		if err == nil {
			a.out = out[i]
		}
		one.answer <- a
	}
}
