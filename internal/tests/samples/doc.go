// Package samples has samples of Temporal, Hatchet and Restate, written for pgtasker from the documents of these projects. A
// review found that these samples were impossible or clumsy in an earlier version. Since then pgtasker has failure branches,
// steps that start after the first of several parents, several limits, events that start tasks, and tasks of functions. Each
// test runs one sample.
package samples
