// Package ui is the operators' page of a pgtasker server: what goes on, why it does not, and what can be done about it.
// Package serve mounts it under /ui.
//
//	browser ──▶ cookie? ──▶ screen ──▶ begin; set local role ──▶ tasker.function(…) ──▶ commit ──▶ HTML
//	               │           │
//	               └── login   ├── Accept: text/event-stream: a hint each time that the screen's mark changes
//	                           └── POST: the session's CSRF token, then the same call as REST and the command line
//
// A session is the token itself in a cookie that scripts cannot read and that other sites cannot have sent, so the
// server keeps none, and a revoked token ends them all. Each request runs in one transaction as the token's role, in the
// token's namespaces. The database decides what is allowed; the page says what it answered.
//
// Everything is rendered here, with html/template and SVG made in packages graph and chart. The one script replaces the
// parts of a page that have changed; without it the page works by links and forms.
package ui
