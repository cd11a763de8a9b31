package serve

import (
	"context"
	"sync"
)

// shares bounds the number of connections that one token uses at the same time, so that other tokens get the rest of the pool.
// Further requests of a token wait for its earlier requests.
type shares struct {
	mutex  sync.Mutex
	size   int
	tokens map[secret]*share
}

// share has the places of one token. A share exists while requests use its places or wait for them.
type share struct {
	places chan struct{}
	users  int
}

func newShares(size int) *shares { return &shares{size: size, tokens: map[secret]*share{}} }

// take waits for a place of the token. It returns a function that frees the place.
func (s *shares) take(ctx context.Context, token secret) (release func(), err error) {
	s.mutex.Lock()
	own := s.tokens[token]
	if own == nil {
		own = &share{places: make(chan struct{}, s.size)}
		s.tokens[token] = own
	}
	own.users++
	s.mutex.Unlock()
	leave := func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if own.users--; own.users == 0 {
			delete(s.tokens, token)
		}
	}
	select {
	case own.places <- struct{}{}:
		return func() { <-own.places; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}
