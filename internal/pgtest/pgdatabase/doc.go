// Package pgdatabase makes databases on a test server: migrated ones, as fast
// copies of a template, and empty ones.
//
// The template's name has a hash of the files from which the template is made. A changed migration or fixture leads to another
// template, so no template is ever out of date:
//
//	pgtest_building_1f0c…   created, migrated, fixtures loaded, may be half done
//	        │ rename, once complete
//	pgtest_template_1f0c…   never changes, refuses connections
//	        │ create database … template …
//	pgtest_k3jx…            one test's own
//
// Several processes may share a server. The first process builds the template, under an advisory lock, and the others
// wait. The next builder drops the database that a killed builder has left. One lock serves all templates, because
// migrations also make roles, which all databases share.
package pgdatabase
