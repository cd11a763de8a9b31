package lab

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// CPU is the processor time used so far by this process, and by the PostgreSQL server with its child processes.
type CPU struct{ Client, Server time.Duration }

// Sub returns the processor time that was used since before.
func (c CPU) Sub(before CPU) CPU {
	return CPU{Client: c.Client - before.Client, Server: c.Server - before.Server}
}

// ReadCPU reads the counters. The server must run on this machine (Linux).
func ReadCPU(ctx context.Context, pool *pgxpool.Pool) (cpu CPU, err error) {
	var self syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &self); err != nil {
		return cpu, err
	}
	cpu.Client = time.Duration(self.Utime.Nano() + self.Stime.Nano())

	var pidFile string
	if err := pool.QueryRow(ctx, "select pg_read_file('postmaster.pid')").Scan(&pidFile); err != nil {
		return cpu, err
	}
	postmaster, _, _ := strings.Cut(pidFile, "\n")
	processes, err := os.ReadDir("/proc")
	if err != nil {
		return cpu, err
	}
	for _, process := range processes {
		if _, err := strconv.Atoi(process.Name()); err != nil {
			continue
		}
		ticks, parent, err := readTicks(process.Name(), process.Name() == postmaster)
		if err == nil && (parent == postmaster || process.Name() == postmaster) {
			cpu.Server += time.Duration(ticks) * time.Second / ticksPerSecond
		}
	}
	return cpu, nil
}

const ticksPerSecond = 100 // Linux has this rate on every architecture that Go supports

// readTicks returns the processor time and the parent of a process. If withChildren is true, the time includes the ended
// children.
func readTicks(pid string, withChildren bool) (ticks int64, parent string, err error) {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0, "", err
	}
	// The name in brackets may contain blanks.
	_, after, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(after)
	if len(fields) < 15 {
		return 0, "", fmt.Errorf("process %s: %d fields", pid, len(fields))
	}
	last := 13 // utime, stime
	if withChildren {
		last = 15 // cutime, cstime
	}
	for _, field := range fields[11:last] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, "", err
		}
		ticks += n
	}
	return ticks, fields[1], nil
}
