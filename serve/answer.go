package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/order"
)

// operation returns the handler of an operation. It checks the token first: without a valid token the client learns
// nothing about other problems.
func (s *Server) operation(o *operation) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.authenticated(w, r, func(c *caller) error {
			out, err := s.run(w, r, o, c)
			if err != nil {
				return err
			}
			return deliver(w, r, out)
		})
	})
}

func (s *Server) run(w http.ResponseWriter, r *http.Request, o *operation, c *caller) (out any, err error) {
	in, refused := s.decode(w, r, o)
	by, sorted := order.Order{}, false
	if given := r.URL.Query().Get("sort"); o.sorts != "" && given != "" {
		by, sorted = order.Parse(o.sorts, given)
		if !sorted && refused == nil {
			refused = invalid("the list cannot be sorted by "+strconv.Quote(cut(given)), "Name one field of its items; a minus sign before it puts the greatest first.")
		}
	}
	if o.outside != nil && refused == nil {
		return o.outside(r.Context(), s, c, in)
	}
	switch in := in.(type) {
	case *creation:
		if key, may := in.travels(c); may && refused == nil {
			return travel(r.Context(), s.creations, key, c, *in)
		}
	case *event:
		if key, may := in.travels(c); may && refused == nil {
			return travel(r.Context(), s.emissions, key, c, *in)
		}
	}
	call := func(ctx context.Context, db executor.DBTX) (err error) {
		if refused != nil {
			return refused
		}
		if o.within > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, o.within)
			defer cancel()
		}
		if sorted {
			ctx = by.With(ctx)
		}
		out, err = o.call(ctx, direct.New(db), *c, in)
		return err
	}
	if !o.writes && refused == nil && s.onStandby(w, r, c, call) {
		return out, nil
	}
	err = s.transact(r.Context(), c, o.writes, call)
	if o.conflicted != nil && errors.Is(err, executor.ErrConflict) {
		s.noteConflict(r.Context(), o, c, in)
	}
	return out, err
}

// noteConflict lets an operation note its refusal, after the refusal has rolled back the transaction.
func (s *Server) noteConflict(ctx context.Context, o *operation, c *caller, in any) {
	err := s.transact(ctx, c, true, func(ctx context.Context, db executor.DBTX) error {
		return o.conflicted(ctx, direct.New(db), in)
	})
	if err != nil && ctx.Err() == nil {
		s.config.Logger.WarnContext(ctx, "a refusal was not noted", "operation", o.id, "error", err)
	}
}

// delivery is an answer that learns whether its client was still connected.
type delivery interface{ delivered(gone bool) }

// deliver writes an answer, and returns its outcome. An answer that was written counts as read: the client may close the connection at
// once.
func deliver(w http.ResponseWriter, r *http.Request, out any) error {
	if f, goesOn := out.(*following); goesOn {
		return f.stream(w, r)
	}
	d, hears := out.(delivery)
	if !hears {
		return answer(w, out)
	}
	gone := true
	defer func() { d.delivered(gone) }()
	if r.Context().Err() != nil {
		return r.Context().Err()
	}
	if err := answer(w, out); err != nil {
		return err
	}
	err := http.NewResponseController(w).Flush()
	gone = err != nil && !errors.Is(err, http.ErrNotSupported)
	return nil
}

// answer writes the return value of an operation.
func answer(w http.ResponseWriter, out any) error {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(out); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(body.Len()))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body.Bytes()) // The client may be gone.
	return nil
}
