package together

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

var errApart = errors.New("one of them is bad")

// recorder answers calls with their own numbers, each after a second, and records which calls went together.
type recorder struct {
	mu     sync.Mutex
	shared [][]int
	alone  []int
	bad    int
}

func (r *recorder) calls() *Calls[int, int] {
	return &Calls[int, int]{
		Alone: func(ctx context.Context, in int) (int, error) {
			r.mu.Lock()
			r.alone = append(r.alone, in)
			r.mu.Unlock()
			if in == r.bad && in != 0 {
				return 0, errApart
			}
			return in, r.work(ctx)
		},
		Shared: func(ctx context.Context, in []int) ([]int, error) {
			r.mu.Lock()
			r.shared = append(r.shared, slices.Clone(in))
			r.mu.Unlock()
			if slices.Contains(in, r.bad) {
				return nil, errApart
			}
			return in, r.work(ctx)
		},
		Apart: func(err error) bool { return errors.Is(err, errApart) },
	}
}

func (r *recorder) work(ctx context.Context) error {
	select {
	case <-time.After(patience / 2):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *recorder) sharedSizes() (sizes []int) {
	for _, group := range r.shared {
		sizes = append(sizes, len(group))
	}
	return sizes
}

// do makes calls 1 to n of a key at once, and returns their errors.
func do(t *testing.T, c *Calls[int, int], n int) []error {
	t.Helper()
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			out, err := c.Do(t.Context(), "key", i+1)
			errs[i] = err
			if err == nil && out != i+1 {
				errs[i] = errors.New("the answer is another call's")
			}
		})
		synctest.Wait()
	}
	all.Wait()
	return errs
}

func TestCalls_FirstGoesAtOnceTheOthersTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		begun := time.Now()
		c := r.calls()
		for _, err := range do(t, c, 1+most+1) {
			require.NoError(t, err)
		}
		require.Equal(t, []int{1, 1 + most + 1}, r.alone)
		require.Equal(t, []int{most}, r.sharedSizes())
		require.Equal(t, 3*patience/2, time.Since(begun))
		synctest.Wait()
		require.Empty(t, c.ways)
	})
}

func TestCalls_OneAloneIsAsItWas(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		c := r.calls()
		for range 3 {
			_, err := c.Do(t.Context(), "key", 1)
			require.NoError(t, err)
		}
		require.Equal(t, []int{1, 1, 1}, r.alone)
		require.Empty(t, r.shared)
	})
}

func TestCalls_OfOtherKeysShareNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		c := r.calls()
		var all sync.WaitGroup
		for i, key := range []string{"a", "b", "c"} {
			all.Go(func() {
				_, err := c.Do(t.Context(), key, i+1)
				require.NoError(t, err)
			})
		}
		all.Wait()
		require.ElementsMatch(t, []int{1, 2, 3}, r.alone)
		require.Empty(t, r.shared)
	})
}

func TestCalls_OneBadCallFailsByItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := recorder{bad: 3}
		errs := do(t, r.calls(), 5)
		for i, err := range errs {
			if i+1 == r.bad {
				require.ErrorIs(t, err, errApart)
			} else {
				require.NoError(t, err)
			}
		}
		require.Equal(t, []int{4}, r.sharedSizes())
		require.ElementsMatch(t, []int{1, 2, 3, 4, 5}, r.alone)
	})
}

func TestCalls_AnErrorThatIsNotApartIsEveryonesOwn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		c := r.calls()
		lost := errors.New("the connection is lost")
		c.Shared = func(context.Context, []int) ([]int, error) { return nil, lost }
		errs := do(t, c, 3)
		require.NoError(t, errs[0])
		require.ErrorIs(t, errs[1], lost)
		require.ErrorIs(t, errs[2], lost)
		require.Equal(t, []int{1}, r.alone)
	})
}

// A caller that leaves ends only its own call, whether the other calls still wait or are under way.
func TestCalls_ACallerThatGoesTakesNoOtherAlong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		c := r.calls()
		errs := make(chan error, 4)
		call := func(ctx context.Context, in int) {
			go func() {
				_, err := c.Do(ctx, "key", in)
				errs <- err
			}()
			synctest.Wait()
		}
		early, leave := context.WithCancel(t.Context())
		late, leaveLate := context.WithCancel(t.Context())
		call(t.Context(), 1)
		call(early, 2)
		call(late, 3)
		call(t.Context(), 4)
		leave()
		require.ErrorIs(t, <-errs, context.Canceled)
		require.NoError(t, <-errs) // the first
		synctest.Wait()
		leaveLate()
		require.ErrorIs(t, <-errs, context.Canceled)
		require.NoError(t, <-errs)
		require.Equal(t, [][]int{{3, 4}}, r.shared)
		synctest.Wait()
		require.Empty(t, c.ways)
	})
}

// A shared call whose callers have all gone ends.
func TestCalls_EndWithTheLastCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		c := r.calls()
		ended := make(chan error, 1)
		c.Shared = func(ctx context.Context, _ []int) ([]int, error) {
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		}
		ctx, leave := context.WithCancel(t.Context())
		for i := range 3 {
			go func() { _, _ = c.Do(ctx, "key", i+1) }()
			synctest.Wait()
		}
		time.Sleep(patience / 2)
		synctest.Wait()
		leave()
		require.ErrorIs(t, <-ended, context.Canceled)
	})
}

// A call that does not return holds up the later calls only for a moment.
func TestCalls_DoNotWaitForOneThatIsStuck(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		c := r.calls()
		alone := c.Alone
		c.Alone = func(ctx context.Context, in int) (int, error) {
			if in == 1 {
				<-ctx.Done()
				return 0, ctx.Err()
			}
			return alone(ctx, in)
		}
		stuck, release := context.WithCancel(t.Context())
		go func() { _, _ = c.Do(stuck, "key", 1) }()
		synctest.Wait()
		begun := time.Now()
		var all sync.WaitGroup
		for i := range 3 {
			all.Go(func() {
				_, err := c.Do(t.Context(), "key", i+2)
				require.NoError(t, err)
			})
		}
		all.Wait()
		require.Equal(t, patience+patience/2, time.Since(begun))
		require.Equal(t, []int{3}, r.sharedSizes())
		release()
	})
}
