// Package fuzztest calls every function that is granted to a role of pgtasker, as that role, with values that no client
// would send: nulls, empty and huge texts, numbers at the ends of their types, times beyond all calendars, arrays of
// several dimensions, JSON of the wrong kind.
//
// The functions and their arguments come from the catalogue, so a new function is tried although this package does not name it.
// Each hostile value is tried alone, with valid values for the other arguments. Random mixtures follow, from a seed that a
// failure names. A call runs in a transaction that is rolled back.
//
// Every answer must be rows, or an error of class TK with a hint and a message of bounded length. Any other SQLSTATE, and
// any call that takes longer than a few seconds, is a defect. The calls are also made under settings of the session that
// change how SQL is read and written.
//
// The short form runs with the other tests. "make fuzz" runs the long form. PGTASKER_SEED repeats a run.
package fuzztest
