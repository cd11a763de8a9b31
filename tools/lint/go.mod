// The linters, which have a module of their own: nothing else shares their dependencies.
module github.com/pgtasker/pgtasker/tools/lint

go 1.26

require (
	codeberg.org/polyfloyd/go-errorlint v1.9.0
	github.com/golangci/rowserrcheck v0.0.0-20260419091836-c5f79b8a11ba
	github.com/gordonklaus/ineffassign v0.2.0
	github.com/karamaru-alpha/copyloopvar v1.2.2
	github.com/kisielk/errcheck v1.10.0
	github.com/mgechev/revive v1.15.0
	github.com/ryanrolds/sqlclosecheck v0.6.0
	github.com/sonatard/noctx v0.5.1
	github.com/timakin/bodyclose v0.0.0-20260129054331-73d1f95b84b4
	golang.org/x/tools v0.44.0
	honnef.co/go/tools v0.7.0
	mvdan.cc/gofumpt v0.9.2
)

require (
	github.com/BurntSushi/toml v1.6.0 // indirect
	github.com/fatih/structtag v1.2.0 // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/gostaticanalysis/analysisutil v0.7.1 // indirect
	github.com/gostaticanalysis/comment v1.5.0 // indirect
	github.com/hashicorp/go-version v1.8.0 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.35.0 // indirect
	golang.org/x/sync v0.20.0 // indirect
	golang.org/x/tools/go/packages/packagestest v0.1.1-deprecated // indirect
)
