package executor

// TranslateErrors returns a DBTX that runs on db and returns the errors of pgtasker's SQL functions as
// [*Error]: for generated queries that are not this package's own.
func TranslateErrors(db DBTX) DBTX { return translator{db: db} }
