// Package samples has samples of Temporal, Hatchet and Restate, written for pgtasker from the documents of these projects. A review found
// these samples impossible or clumsy before pgtasker had failure branches, the first of several steps, several limits, events that start
// tasks, and tasks of functions. Each test runs one sample.
package samples
