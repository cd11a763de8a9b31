package serve

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/direct"
)

// The answers of a standby say how many seconds the standby is behind its primary. A client that has to see its own writes asks for the
// primary.
const (
	lagHeader  = "Tasker-Standby-Lag"
	readHeader = "Tasker-Read"
)

// onStandby runs f in a transaction of the standby, if there is one and it may answer the request, and reports whether it answered. The
// primary answers the other requests: the standby may be away, or may not have a new task or token yet. The sessions of people are read
// from the primary, which knows at once that a session has ended.
func (s *Server) onStandby(
	w http.ResponseWriter, r *http.Request, c *caller, f func(ctx context.Context, db executor.DBTX) error,
) bool {
	pool := s.config.Reads
	if pool == nil || c.session || c.proxied != nil || r.Header.Get(readHeader) == "primary" {
		return false
	}
	var behind float64
	err := s.transactOn(r.Context(), pool, c, false, func(ctx context.Context, db executor.DBTX) (err error) {
		if err = f(ctx, db); err == nil {
			behind, err = s.lag.look(ctx, time.Now(), db)
		}
		return err
	})
	if err != nil {
		s.config.Logger.DebugContext(r.Context(), "the standby did not answer", "request_id", requestID(r), "error", err)
		*c = caller{secret: c.secret}
		return false
	}
	w.Header().Set(lagHeader, strconv.FormatFloat(behind, 'f', 3, 64))
	return true
}

// lag keeps the lag of the standby for a second.
type lag struct {
	mutex  sync.Mutex
	at     time.Time
	behind float64
}

func (l *lag) look(ctx context.Context, now time.Time, db executor.DBTX) (float64, error) {
	l.mutex.Lock()
	known, behind := now.Sub(l.at) < time.Second, l.behind
	l.mutex.Unlock()
	if known {
		return behind, nil
	}
	behind, err := direct.New(db).StandbyLag(ctx)
	if err != nil {
		return 0, err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.at, l.behind = now, behind
	return behind, nil
}
