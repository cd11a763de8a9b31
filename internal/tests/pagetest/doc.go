// Package pagetest uses the operators' page as a person would: in a real Chromium, by mouse and keyboard, dark and
// light, on a desktop and a phone, with axe-core looking for what keeps people with disabilities from using it.
//
//	make test-page               the short form: each screen light on a desktop and dark on a phone
//	PGTASKER_SOAK=1 make test-page   each screen in all four
//	PGTASKER_SHOTS=1 make test-page  the pictures of docs/page are made anew
//
// It is a module of its own, so that the driver of the browser stays out of the modules that users get. tools/page.sh
// installs what it needs. Every run leaves its pictures in .cache/page for people to look at.
package pagetest
