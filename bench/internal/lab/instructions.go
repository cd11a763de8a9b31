package lab

import (
	"encoding/binary"
	"os"
	"syscall"
	"unsafe"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Instructions counts the instructions that a connection's server process executes outside the kernel. Unlike
// its processor time they hardly depend on what else the machine does.
type Instructions struct{ file *os.File }

// CountInstructions begins to count. It fails where the kernel does not let this process count (Linux only, see
// perf_event_open(2)).
func CountInstructions(conn *pgxpool.Conn) (*Instructions, error) {
	const (
		hardware, instructions           = 0, 1 // type and config of perf_event_attr
		size                             = 64   // of its first version
		excludeKernel, excludeHypervisor = 1 << 5, 1 << 6
	)
	attributes := [size / 8]uint64{0: hardware | size<<32, 1: instructions, 5: excludeKernel | excludeHypervisor}
	fd, _, failed := syscall.Syscall6(syscall.SYS_PERF_EVENT_OPEN,
		uintptr(unsafe.Pointer(&attributes)), uintptr(conn.Conn().PgConn().PID()), ^uintptr(0), ^uintptr(0), 0, 0)
	if failed != 0 {
		return nil, os.NewSyscallError("perf_event_open", failed)
	}
	return &Instructions{os.NewFile(fd, "instructions")}, nil
}

// Read returns how many there have been.
func (i *Instructions) Read() (int64, error) {
	var raw [8]byte
	_, err := i.file.Read(raw[:])
	return int64(binary.NativeEndian.Uint64(raw[:])), err
}
