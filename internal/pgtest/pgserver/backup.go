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
	wal     string // where the server leaves what came after the backup
}

// BackUp takes a base backup of a server of [StartCrashSafe], which goes on.
func (s *Server) BackUp(ctx context.Context) (*Backup, error) {
	c := &cluster{bin: s.Bin, settings: s.cluster.settings, primary: s.cluster.dir.path}
	if err := c.settle(ctx); err != nil {
		return nil, err
	}
	return &Backup{cluster: c, wal: filepath.Join(s.cluster.dir.data(), "pg_wal")}, nil
}

// Restore starts a server from the backup that goes on from a point which pg_create_restore_point has named. The server
// that was backed up must have begun another segment of its log since then, and kept all of them. The new one takes
// writes when it has come to that point. The caller must call [Server.Stop].
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
