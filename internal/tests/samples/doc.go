// Package samples has samples of Temporal, Hatchet and Restate, written for pgtasker from the documents of these projects: samples that a
// review found impossible or clumsy before a failure branch, the first of several, several limits, events that start tasks,
// and tasks of functions were there. Each test runs one of them.
package samples
