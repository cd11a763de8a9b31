package pgserver

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// Backup is a base backup of a server of [StartCrashSafe]. Exactly one of its methods must be called.
type Backup struct {
	cluster *cluster
	wal     string // where the server leaves the log after the backup
}

// BackUp takes a base backup of a server of [StartCrashSafe], which continues to run.
func (s *Server) BackUp(ctx context.Context) (*Backup, error) {
	c := &cluster{bin: s.Bin, settings: s.cluster.settings, primary: s.cluster.dir.path}
	if err := c.settle(ctx); err != nil {
		return nil, err
	}
	return &Backup{cluster: c, wal: filepath.Join(s.cluster.dir.data(), "pg_wal")}, nil
}

// Restore starts a server from the backup and recovers it to a point that pg_create_restore_point has named. The
// original server must have begun another segment of its log since that point, and must have kept all segments. The new
// server takes writes after that point. The caller must call [Server.Stop].
func (b *Backup) Restore(ctx context.Context, point string) (*Server, error) {
	c := b.cluster
	path := filepath.Join(c.dir.data(), "recovery.signal")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return nil, err
	}
	if err := c.owner.Own(path); err != nil {
		return nil, err
	}
	c.settings = append(c.settings[:len(c.settings):len(c.settings)],
		"restore_command=cp "+strings.ReplaceAll(b.wal, "%", "%%")+"/%f %p",
		"recovery_target_name="+point, "recovery_target_action=promote")
	return c.serve(ctx)
}
