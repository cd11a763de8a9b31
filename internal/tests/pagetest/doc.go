// Package pagetest uses the operators' page as a person would: in a real Chromium, by mouse and keyboard, dark and light, on a
// desktop and a phone. Meanwhile axe-core checks that people with disabilities can use it.
//
//	make test-page               the short form, each screen light on a desktop and dark on a phone
//	PGTASKER_SOAK=1 make test-page   each screen in all six looks: light and dark, desktop, tablet and phone
//	make page-pictures           the pictures of all screens in all looks, long names and graphs of 5, 50 and 500 steps, in .cache/page
//	PGTASKER_SHOTS=1 make test-page  the pictures of docs/page are made again
//
// The package is a module of its own, so that the driver of the browser is not a dependency of the modules that users import.
// tools/page.sh installs the tools that the tests need. Every run leaves its pictures in .cache/page for people.
package pagetest
