package lab

import (
	"encoding/binary"
	"unsafe"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sys/unix"
)

// Instructions counts the instructions that a connection's server process executes outside the kernel. Unlike
// processor time, the number hardly depends on other work on the machine.
type Instructions struct{ file int }

// CountInstructions begins to count. It needs a processor with counters and the right to read them (root, or
// kernel.perf_event_paranoid at most 1).
func CountInstructions(conn *pgxpool.Conn) (*Instructions, error) {
	attributes := unix.PerfEventAttr{Type: unix.PERF_TYPE_HARDWARE, Config: unix.PERF_COUNT_HW_INSTRUCTIONS, Bits: unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv}
	attributes.Size = uint32(unsafe.Sizeof(attributes))
	file, err := unix.PerfEventOpen(&attributes, int(conn.Conn().PgConn().PID()), -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return &Instructions{file: file}, nil
}

// Read returns the number of instructions since CountInstructions.
func (i *Instructions) Read() (int64, error) {
	var raw [8]byte
	_, err := unix.Read(i.file, raw[:])
	return int64(binary.NativeEndian.Uint64(raw[:])), err
}

// Close ends the count.
func (i *Instructions) Close() error { return unix.Close(i.file) }
