package pgserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
)

// Upgrade ends a server of [StartCrashSafe] cleanly. A bash script fills a new cluster, and a new server starts in it with
// the programs in bin, or with the old programs if bin is empty. The script runs as the user of the servers, in the new
// cluster's directory. OLD_BIN, OLD_DATA, NEW_BIN and NEW_DATA name the directories of both servers. The caller must call
// [Server.Stop] of both.
func (s *Server) Upgrade(ctx context.Context, bin, script string) (*Server, error) {
	if err := s.cluster.end(ctx, syscall.SIGINT); err != nil {
		return nil, err
	}
	c := &cluster{bin: cmp.Or(bin, s.Bin), settings: s.cluster.settings}
	if err := c.settle(ctx); err != nil {
		return nil, err
	}
	if err := c.fillBy(ctx, s, script); err != nil {
		return nil, errors.Join(err, c.dir.remove())
	}
	return c.serve(ctx)
}

// fillBy runs the script of [Server.Upgrade].
func (c *cluster) fillBy(ctx context.Context, old *Server, script string) (err error) {
	if err := c.takeLock(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.lock.Close()) }()
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", script)
	if err := c.run(cmd, "OLD_BIN="+old.Bin, "OLD_DATA="+old.cluster.dir.data(), "NEW_BIN="+c.bin, "NEW_DATA="+c.dir.data()); err != nil {
		return fmt.Errorf("%s: %w", script, err)
	}
	return nil
}
