// Package release makes the files of a release from the tree, without publishing any: "make dist".
//
//	modules.World ──▶ a program for each platform ──▶ archives, Debian packages ─┐
//	       │                    │                                                ├──▶ SHA256SUMS
//	       │                    └──▶ completions, pgtasker.sql, template schema ─┤
//	       └──▶ sources of the programs ─────────▶ LICENCES.txt, SBOM ───────────┤
//	clients/ ──▶ Python wheel, npm package ──────────────────────────────────────┘
//
// The files depend on the commit only. Programs are the same as "go install …@version" compiles. All times are the commit's time,
// owners are root, and names are sorted.
package release
