// Package ui is the operators' page of a pgtasker server: the running work, the reason why some work does not run, and the remedies.
// Package serve mounts it under /ui.
//
//	browser ──▶ cookie? ──▶ screen ──▶ begin; set local role ──▶ tasker.function(…) ──▶ commit ──▶ HTML
//	               │           │
//	               └── login   ├── Accept: text/event-stream: a hint each time that the screen's mark changes
//	                           └── POST: the session's CSRF token, then the same call as REST and the command line
//
// A session is the token itself in a cookie. Scripts cannot read the cookie, and requests from other sites do not carry
// it. So the server stores no sessions, and revoking a token ends all its sessions. Each request runs in one transaction
// as the token's role, in the token's namespaces. The database decides which actions are allowed. The page shows the
// database's answer.
//
// Everything is rendered here, with html/template and SVG made in packages graph and chart. The one script replaces the
// parts of a page that have changed. Without it the page works by links and forms.
package ui
