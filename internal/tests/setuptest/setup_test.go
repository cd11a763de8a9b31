// Package setuptest tries tools/setup.sh on machines that are made of stubs. It checks the chosen way, the output, and the
// packages that would be installed.
package setuptest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

// machine has a root directory and a PATH with only the usual programs and the go command.
type machine struct {
	t    *testing.T
	root string
	env  []string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t, root: t.TempDir()}
	m.env = []string{"PATH=" + filepath.Join(m.root, "bin"), "SETUP_ROOT=" + m.root, "HOME=" + m.root, "TMPDIR=" + t.TempDir()}
	for _, name := range []string{"bash", "cat", "cp", "dirname", "env", "grep", "head", "ls", "mktemp", "mv", "paste", "readlink", "rm", "sleep", "sort", "tail", "timeout"} {
		program, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Join(m.root, "bin"), 0o755))
		require.NoError(t, os.Symlink(program, filepath.Join(m.root, "bin", name)))
	}
	m.program("bin/go", "exit 0")
	m.program("bin/id", "echo 1000")
	return m
}

// program installs a shell script in place of a program.
func (m *machine) program(name, script string) *machine {
	m.t.Helper()
	path := filepath.Join(m.root, name)
	require.NoError(m.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(m.t, os.RemoveAll(path))
	require.NoError(m.t, os.WriteFile(path, []byte("#!/bin/bash\n"+script+"\n"), 0o755))
	return m
}

func (m *machine) with(env string) *machine {
	m.env = append(m.env, env)
	return m
}

// server installs PostgreSQL 17, with pgTAP and clients.
func (m *machine) server() *machine {
	share := filepath.Join(m.root, "usr/share/postgresql/17")
	require.NoError(m.t, os.MkdirAll(filepath.Join(share, "extension"), 0o755))
	require.NoError(m.t, os.WriteFile(filepath.Join(share, "extension/pgtap.control"), nil, 0o600))
	m.program("bin/pg_prove", "")
	m.program("bin/curl", "")
	m.program("usr/lib/postgresql/17/bin/psql", "")
	m.program("usr/lib/postgresql/17/bin/pg_config", "echo "+share)
	return m.program("usr/lib/postgresql/17/bin/postgres", "echo 'postgres (PostgreSQL) 17.2'")
}

func (m *machine) setup(what string) (code int, said string) {
	m.t.Helper()
	root, err := checkout.Root()
	require.NoError(m.t, err)
	cmd := exec.CommandContext(m.t.Context(), filepath.Join(m.root, "bin/bash"), filepath.Join(root, "tools/setup.sh"), what)
	var out bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = m.env, &out, &out
	if err := cmd.Run(); err != nil {
		require.ErrorAs(m.t, err, new(*exec.ExitError))
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

func TestSetup_ChoosesWhatServes(t *testing.T) {
	t.Parallel()
	docker := func(m *machine) *machine {
		return m.program("bin/docker", "exit 0").with("DOCKER_HOST=unix:///nowhere")
	}
	given := "PGTASKER_TEST_DATABASE_URL=postgres://postgres@db/postgres"
	for name, test := range map[string]struct {
		on   *machine
		what string
		says string
	}{
		"an address that is given, before all":  {docker(newMachine(t).server()).with(given), "demo", "the server of PGTASKER_TEST_DATABASE_URL"},
		"server programs, before Docker":        {docker(newMachine(t).server()), "tests", "a private cluster with the programs of "},
		"Docker, as an ordinary user":           {docker(newMachine(t)), "demo", "a container in Docker"},
		"Docker, because it is asked for":       {docker(newMachine(t).server()).with("PGTASKER_TEST_SERVER=docker"), "demo", "a container in Docker"},
		"Docker, for tests that have a client":  {docker(newMachine(t).program("bin/psql", "").program("bin/curl", "").program("bin/pg_prove", "")), "tests", "a container in Docker"},
		"Docker, before a package is installed": {docker(newMachine(t).program("bin/id", "echo 0").program("bin/apt-get", "exit 1")), "demo", "a container in Docker"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, said := test.on.setup(test.what)
			require.Zero(t, code, said)
			require.Contains(t, said, "setup: PostgreSQL: "+test.says)
		})
	}
}

func TestSetup_CompilesWhatStartsAContainerWhereOneIsUsed(t *testing.T) {
	t.Parallel()
	for name, docker := range map[string]bool{"a container": true, "server programs": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t).server()
			m.program("bin/go", `echo "$*, cgo $CGO_ENABLED" >> `+m.root+`/built`)
			if docker {
				m.program("bin/docker", "exit 0").with("DOCKER_HOST=unix:///nowhere").with("PGTASKER_TEST_SERVER=docker")
			}
			code, said := m.setup("demo")
			require.Zero(t, code, said)
			built, err := os.ReadFile(filepath.Join(m.root, "built"))
			require.NoError(t, err)
			require.Contains(t, string(built), "build -C cmd/tasker ")
			require.Equal(t, docker, strings.Contains(string(built), "build -C internal/pgtest/dockerpg "), string(built))
			require.NotContains(t, string(built), "cgo \n")
		})
	}
}

func TestSetup_ADatabaseThatIsGivenNeedsNoServer(t *testing.T) {
	t.Parallel()
	code, said := newMachine(t).setup("client")
	require.Zero(t, code, said)
	require.NotContains(t, said, "PostgreSQL")
}

func TestSetup_SaysWhatToInstall(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		on   *machine
		what string
		says []string
	}{
		"Debian": {newMachine(t).program("bin/apt-get", "exit 1"), "demo", []string{"no PostgreSQL for the demo", "sudo apt-get install postgresql\n", "no docker command"}},
		"Fedora": {newMachine(t).program("bin/dnf", ""), "tests", []string{"sudo dnf install postgresql-server postgresql-contrib\n"}},
		"macOS":  {newMachine(t).program("bin/brew", ""), "tests", []string{"brew install postgresql@17\n"}},
		"Docker that does not run": {
			newMachine(t).program("bin/docker", "exit 1").with("DOCKER_HOST=unix:///nowhere"), "demo",
			[]string{`"docker version" reaches no engine`, "start a Docker engine"},
		},
		"tests in Docker, without a client": {
			newMachine(t).program("bin/docker", "").with("DOCKER_HOST=unix:///nowhere").program("bin/dnf", ""), "tests",
			[]string{"the tests also need: sudo dnf install postgresql curl perl-TAP-Parser-SourceHandler-pgTAP\n"},
		},
		"a directory without a server": {newMachine(t).with("PGTASKER_TEST_PGBIN=/nowhere"), "demo", []string{"PGTASKER_TEST_PGBIN is /nowhere, where there is no postgres"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, said := test.on.setup(test.what)
			require.Equal(t, 1, code, said)
			for _, line := range test.says {
				require.Contains(t, said, line)
			}
		})
	}
}

// TestSetup_InstallsWithoutACluster installs as root on Debian. The output of apt-get goes to a log, and the server's package
// creates no cluster.
func TestSetup_InstallsWithoutACluster(t *testing.T) {
	t.Parallel()
	m := newMachine(t).program("bin/id", "echo 0").program("bin/gcc", "")
	conf := filepath.Join(m.root, "etc/postgresql-common/createcluster.conf")
	m.program("bin/mkdir", `exec /bin/mkdir "$@"`)
	m.program("bin/apt-get", `
echo "noise of apt"
for package in "$@"; do case $package in
  postgresql-common) mkdir -p `+filepath.Dir(conf)+`; echo "# as packaged" > `+conf+` ;;
  postgresql)
    grep -q "create_main_cluster = false" `+conf+` || exit 1
    /bin/mkdir -p `+m.root+`/usr/lib/postgresql/15/bin
    printf '#!/bin/bash\necho "postgres (PostgreSQL) 15.18"\n' > `+m.root+`/usr/lib/postgresql/15/bin/postgres
    /bin/chmod +x `+m.root+`/usr/lib/postgresql/15/bin/postgres ;;
esac; done
echo "$*" >> `+m.root+`/installed`)
	code, said := m.setup("tests")
	require.Zero(t, code, said)
	require.NotContains(t, said, "noise of apt")
	kept, err := os.ReadFile(conf)
	require.NoError(t, err)
	require.Equal(t, "# as packaged\n", string(kept), "the machine's own configuration is as it was")
	installed, err := os.ReadFile(filepath.Join(m.root, "installed"))
	require.NoError(t, err)
	require.Contains(t, string(installed), "postgresql-client curl libtap-parser-sourcehandler-pgtap-perl postgresql-15-pgtap\n")
}

func TestSetup_ShowsTheLogOfWhatFails(t *testing.T) {
	t.Parallel()
	m := newMachine(t).program("bin/id", "echo 0").program("bin/apt-get", "echo 'E: no network'; exit 100")
	code, said := m.setup("demo")
	require.Equal(t, 1, code)
	require.Contains(t, said, "E: no network\nsetup: reading the package lists FAILED")
}
