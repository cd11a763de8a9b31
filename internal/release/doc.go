// Package release makes the files of a release from the tree, without publishing any: "make dist".
//
//	modules.World ──▶ a program for each platform ──▶ archives, Debian packages ─┐
//	       │                    │                                                ├──▶ SHA256SUMS
//	       │                    └──▶ completions, pgtasker.sql, template schema ─┤
//	       └──▶ sources of what is compiled in ──▶ LICENCES.txt, SBOM ───────────┤
//	clients/ ──▶ Python wheel, npm package ──────────────────────────────────────┘
//
// The files depend on the commit only: programs are what "go install …@version" compiles, times are those of the commit, owners are
// root, names are sorted.
package release
