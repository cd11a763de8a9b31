// Package serve answers HTTP for a pgtasker database: REST under /v1, for programs that are not written in Go and for
// people with curl, and under /ui the operators' page of package ui. "tasker serve" is this package with flags. A Go program mounts the handler in a server of its own.
//
//	handler, err := serve.New(ctx, pool, serve.Config{})
//	http.Handle("/", handler)
//
// One table of operations says everything: the routes, how a request's parts become arguments, the answers, and the
// OpenAPI document, so that the document cannot differ from the served operations.
//
//	request ──▶ token? ──▶ operation ──▶ begin; set local role ──▶ tasker.function(…) ──▶ commit ──▶ JSON
//	              │            │
//	              └── 401, 429 └── 404, 405, 413, 415, 422, as problem+json
//
// Each request is one transaction, in which the database makes the connection the token's: its role, its namespaces,
// its name in histories. All of that ends with the transaction, however it ends. Operations that only read run in a
// read-only transaction. With Config.ReadOnly there are no other operations.
//
// The pool's login has no rights of its own beside membership of tasker_server and of the roles that tokens have.
// docs/serve.md says how to make it.
package serve
