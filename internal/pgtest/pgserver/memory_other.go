//go:build unix && !linux

package pgserver

// memoryDir is empty: there is no directory in memory that every user may use.
const memoryDir = ""

func roomInMemory() bool { return false }
