// Package serve answers HTTP for a pgtasker database: REST under /v1, for programs that are not written in Go and for people with curl, and
// under /ui the operators' page of package ui. "tasker serve" is this package with flags. A Go program can mount the handler in its own
// server.
//
//	handler, err := serve.New(ctx, pool, serve.Config{})
//	http.Handle("/", handler)
//
// One table of operations defines the routes, the arguments of each request, the answers and the OpenAPI document, so that the document
// cannot differ from the served operations.
//
//	request ──▶ token? ──▶ operation ──▶ begin, set local role ──▶ tasker.function(…) ──▶ commit ──▶ JSON
//	              │            │
//	              └── 401, 429 └── 404, 405, 413, 415, 422, as problem+json
//
// Each request is one transaction, in which the connection has the rights of the token: its role, its namespaces, its name in histories.
// These rights end with the transaction, however it ends. Operations that only read run in a read-only transaction. With Config.ReadOnly
// all other operations are missing.
//
// The pool's login is a member of tasker_server and of the roles of tokens, and has no other rights. docs/serve.md says how to create the
// login.
package serve
