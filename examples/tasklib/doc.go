// Package tasklib is a separate module with a whole program: emails registers a task, submit submits tasks, worker runs them, kubernetes
// deploys the worker.
package tasklib
