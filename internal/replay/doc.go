// Package replay runs the present code of a worker on tasks that were exported ("tasker task export",
// tasker.export_task), and reports where the code diverges from the record. [Task] replays one task, [Read] reads the
// files of an export.
//
// Package workertest offers a replay as a test ([workertest.Replay]). docs/howto/replay.md is the way from a failing production
// task to a red test to a fix.
//
//	export.go    the documents, and reading them
//	task.go      a task: which steps run, with which inputs, and with which outcome
//	divergence.go the reports
//	world.go     the surroundings of durable functions: the recorded calls, at the recorded times
//	compare.go   differences of results
//	blank.go     places that were blanked
//
// [workertest.Replay]: https://pkg.go.dev/github.com/pgtasker/pgtasker/workertest#Replay
package replay
