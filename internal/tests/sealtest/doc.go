// Package sealtest runs the whole engine with encrypted payloads. A dump of the database and the server's log must hold no payload in the
// clear.
package sealtest
