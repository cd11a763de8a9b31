// Package mutate changes one thing at a time in the text of a SQL function, so that the function's tests can be
// tried. A change that no test notices shows a rule that no test holds.
//
// A mutation keeps the function valid most of the time: another comparison, a boundary moved by one, a condition
// dropped or turned round, a lock clause dropped, an order turned round, another state.
package mutate
