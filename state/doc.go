// Package state names the states of tasks and steps as Go types.
//
// PostgreSQL defines the states and their transitions, in the tables
// tasker.task_states, tasker.step_states and their state machines. The methods here answer the same
// questions about a state that a program holds in its hand, without a round trip. A test holds them
// to the tables.
package state
