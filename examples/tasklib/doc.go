// Package tasklib is a module of its own with a whole program: emails registers a task, submit submits one, worker
// runs them, kubernetes deploys the worker.
package tasklib
