// Package conformance is a suite that every worker of pgtasker must pass, whatever language it is written in. It starts the
// worker's program against a database and a REST server of its own, creates tasks, disturbs the worker, and checks what the
// database has recorded. Package faulttest has the faults of networks and set-ups.
//
//	PGTASKER_CONFORMANCE="python3 -m tests.conformance_worker" PGTASKER_CONFORMANCE_DIR=clients/python \
//	  go test ./internal/tests/conformance -run TestConformance_AnyWorker -v
//
// The program works until SIGTERM. Its environment configures it:
//
//	TASKER_URL, TASKER_TOKEN  the server, and a token of role worker
//	TASKER_NAMESPACE          the namespace whose steps it takes
//	TASKER_LEASE_SECONDS      the lease that it asks for
//	TASKER_STOP_SECONDS       how long it waits for its handlers at SIGTERM, before it hands their steps back
//	DATABASE_URL              the database, for a worker over SQL
//	TASKER_DIRECT             set if a worker that can do both is to work over SQL
//
// It runs at least four steps at a time and has these handlers:
//
//	echo        returns the task's context
//	twice       fails with "not yet" in the first attempt, then returns {"attempt": …, "last_error": …}
//	final       fails for good with "no"
//	join        returns its parents' results by name
//	ancestor    returns the result of step "first", which is not a parent
//	slow        saves the checkpoint "began", waits for the context's number of seconds, or until it must stop, and returns
//	            {"slow": true}
//	compute     saves the checkpoint "began", computes for the context's number of seconds, and returns {"computed": the attempt}
//	hold        appends its step's UUID and a newline to the file begun of the context, waits until the file gate exists, or until it is
//	            told to stop, and returns the text client (package faulttest)
//	large       returns a text of as many x as the context says under bytes
//	length      returns the length of each parent's result, a text, by the parent's name
//	undo        undoes a text: returns {"step": …, "length": …} of its inputs' step and result
//	zero        waits for the context's number of seconds, if there is one, and returns the text "a\u0000b", which PostgreSQL cannot store
//	half        returns half of a surrogate pair, "\ud800", which PostgreSQL cannot store
//	mark        returns {"n": 12345678901234567890, "text": "\u0000pgtasker:5"}, which PostgreSQL cannot store, either
//	long        fails for good with 70,000 characters, among them a zero byte
//	checkpoint  saves {"at": 7} in the first attempt and fails, then returns the saved checkpoint
//	function    charge twice, now, random, changed "v2", sleep 50 ms (suspended), await "approved" for an hour at most, then time and number, each kept
//	            (see [functionResult])
//	refund      calls charge, which fails for good with "the bank refuses", then awaits "go", and returns {"kept": the error's text}
//	rounds      keeps the key of call "key" in its state and continues, until the third round returns {"n": 3, "keys": […]}
//	diverge     makes a call with another name in each run, then awaits "go"
package conformance
