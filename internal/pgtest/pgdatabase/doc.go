// Package pgdatabase makes databases on a test server: migrated ones, as fast
// copies of a template, and empty ones.
//
// The template is named for a hash of what it is made from, so that another
// migration or fixture means another template and none is ever out of date:
//
//	pgtest_building_1f0c…   created, migrated, fixtures loaded; may be half done
//	        │ rename, once complete
//	pgtest_template_1f0c…   never changes, refuses connections
//	        │ create database … template …
//	pgtest_k3jx…            one test's own
//
// Several processes may share a server. The first one builds, under an
// advisory lock, and the others wait. What a killed builder left is dropped by
// the next one. One lock serves all templates, because migrations also make
// roles, which all databases share.
package pgdatabase
