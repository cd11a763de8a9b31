package worker

import (
	"context"
	"encoding/json"
	"reflect"
	"sync"

	"github.com/pgtasker/pgtasker/internal/jsonfit"
)

const (
	// sharedFrom is the smallest size, in bytes, of a value that is decoded only once for all steps that use it.
	sharedFrom = 16 << 10
	// mostShared and mostSharedBytes bound the number and the total size of the values that a worker keeps for further steps.
	mostShared      = 64
	mostSharedBytes = 64 << 20
)

// value is a JSON value that several steps use: a task's context, or the result of a parent of a map. The value is decoded once
// for each Go type. Each step gets a copy, which it may change.
type value struct {
	raw json.RawMessage

	mu      sync.Mutex
	decoded map[reflect.Type]reflect.Value
}

func (v *value) decode(into any) error {
	to := reflect.ValueOf(into).Elem()
	if len(v.raw) < sharedFrom {
		return jsonfit.Decode(v.raw, into)
	}
	copied := jsonfit.Copier(to.Type())
	if copied == nil {
		return jsonfit.Decode(v.raw, into)
	}
	from, err := v.original(to.Type())
	if err != nil {
		return err
	}
	copied(to, from)
	return nil
}

// original returns the decoded value that is copied for each step. No handler gets it, so no handler changes it.
func (v *value) original(typ reflect.Type) (reflect.Value, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if found, ok := v.decoded[typ]; ok {
		return found, nil
	}
	made := reflect.New(typ)
	if err := jsonfit.Decode(v.raw, made.Interface()); err != nil {
		return reflect.Value{}, err
	}
	if v.decoded == nil {
		v.decoded = map[reflect.Type]reflect.Value{}
	}
	v.decoded[typ] = made.Elem()
	return made.Elem(), nil
}

// values has the results of steps by the names of the steps.
type values map[string]*value

func (v values) bytes() (n int) {
	for _, one := range v {
		n += len(one.raw)
	}
	return n
}

// asValues returns results as values.
func asValues(raw map[string]json.RawMessage) values {
	all := make(values, len(raw))
	for name, result := range raw {
		all[name] = &value{raw: result}
	}
	return all
}

// shared keeps the newest of the values that several steps use, so that each value is loaded only once. A kept value stays
// right, since neither a context nor the result of a finished step changes.
type shared struct {
	mu    sync.Mutex
	found map[string]*sharing
	order []string // keys of loaded values, the oldest first
	bytes int
}

type sharing struct {
	loaded chan struct{} // closed when the load has ended
	value  any           // nil if the load has failed
	bytes  int
}

// get returns a value, and loads it unless another step has loaded it or is loading it. If the load of the other step fails, this step
// loads the value itself.
func (s *shared) get(ctx context.Context, key string, load func() (value any, bytes int, err error)) (any, error) {
	for {
		s.mu.Lock()
		one, found := s.found[key]
		if !found {
			one = &sharing{loaded: make(chan struct{})}
			if s.found == nil {
				s.found = map[string]*sharing{}
			}
			s.found[key] = one
		}
		s.mu.Unlock()
		if !found {
			return s.load(key, one, load)
		}
		select {
		case <-one.loaded:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if one.value != nil {
			return one.value, nil
		}
	}
}

func (s *shared) load(key string, one *sharing, load func() (any, int, error)) (any, error) {
	defer close(one.loaded)
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if one.value == nil {
			delete(s.found, key)
			return
		}
		s.order, s.bytes = append(s.order, key), s.bytes+one.bytes
		for len(s.order) > mostShared || s.bytes > mostSharedBytes && len(s.order) > 1 {
			s.bytes -= s.found[s.order[0]].bytes
			delete(s.found, s.order[0])
			s.order = s.order[1:]
		}
	}()
	loaded, bytes, err := load()
	if err != nil {
		return nil, err
	}
	one.value, one.bytes = loaded, bytes
	return loaded, nil
}
