// Package modules serves this tree as tagged modules, before there is a tag.
//
// The repository holds several modules that require each other at the version that is released next:
//
//	go.work         builds the modules together as they are in this tree
//	Pack            writes a GOPROXY directory in which all modules have that version
//	Tidy            compares each go.mod and go.sum with the result of "go mod tidy" through that directory
//	Consume         follows a user from an empty directory: go install, go get, go mod tidy, go build
//
// So a requirement that only the workspace satisfies is found before a tag is pushed, since a pushed tag cannot be taken back.
package modules
