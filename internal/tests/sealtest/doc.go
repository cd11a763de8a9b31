// Package sealtest holds encrypted payloads against the whole of the engine: a dump of the database and the server's log hold none of them.
package sealtest
