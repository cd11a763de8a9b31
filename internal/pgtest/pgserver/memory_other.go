//go:build unix && !linux

package pgserver

// memoryDir is empty: there is no directory in memory that everybody may use.
const memoryDir = ""

func roomInMemory() bool { return false }
