package executor

// Translate is translate, for tests that call the database without an executor.
var Translate = translate

// CheckJSON is checkJSON.
var CheckJSON = checkJSON
