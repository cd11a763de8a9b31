package pgserver

import "syscall"

const (
	memoryDir = "/dev/shm"

	// memoryWanted is enough for several clusters. Docker's default for a container, 64 MB, is not enough.
	memoryWanted = 2 << 30

	tmpfsMagic = 0x01021994
)

func roomInMemory() bool {
	var info syscall.Statfs_t
	if err := syscall.Statfs(memoryDir, &info); err != nil {
		return false
	}
	return info.Type == tmpfsMagic && info.Bavail*uint64(info.Bsize) >= memoryWanted
}
