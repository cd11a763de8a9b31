package release

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// units are the services of the Debian package. Tasker-serve has a socket, too.
var units = []string{"orchestrate", "serve", "relay"}

// debEntries returns the files of the package.
func debEntries(root string, c common, program []byte) ([]entry, error) {
	read := func(name string) (text []byte, err error) { return os.ReadFile(filepath.Join(root, name)) }
	hardening, err := read("deploy/systemd/hardening.conf")
	if err != nil {
		return nil, err
	}
	entries := []entry{
		{"usr/bin/tasker", program, 0o755},
		{"usr/share/bash-completion/completions/tasker", c.completions["bash"], 0o644},
		{"usr/share/zsh/vendor-completions/_tasker", c.completions["zsh"], 0o644},
		{"usr/share/fish/vendor_completions.d/tasker.fish", c.completions["fish"], 0o644},
		{"usr/share/pgtasker/pgtasker.sql", c.sql, 0o644},
		{"usr/share/pgtasker/template.schema.json", c.schema, 0o644},
		{"usr/share/doc/pgtasker/copyright", append(append([]byte{}, c.licence...), append([]byte("\n"), c.licences...)...), 0o644},
	}
	for _, unit := range units {
		text, err := read("deploy/systemd/tasker-" + unit + ".service")
		if err != nil {
			return nil, err
		}
		text = []byte(strings.Replace(string(text), "@HARDENING@\n", string(hardening), 1))
		entries = append(entries, entry{"usr/lib/systemd/system/tasker-" + unit + ".service", text, 0o644})
		if text, err = read("deploy/debian/" + unit + ".env"); err != nil {
			return nil, err
		}
		entries = append(entries, entry{"usr/share/doc/pgtasker/examples/" + unit + ".env", text, 0o644})
	}
	socket, err := read("deploy/systemd/tasker-serve.socket")
	return append(entries, entry{"usr/lib/systemd/system/tasker-serve.socket", socket, 0o644}), err
}

// deb builds the Debian package of an architecture, by dpkg-deb, into folder.
func deb(ctx context.Context, root, folder, arch string, c common, program []byte) (name string, err error) {
	entries, err := debEntries(root, c, program)
	if err != nil {
		return "", err
	}
	tree, err := os.MkdirTemp("", "pgtasker-deb-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tree) //nolint:errcheck // It is a temporary directory.
	size := 0
	for _, e := range entries {
		size += len(e.text)
	}
	number := strings.TrimPrefix(c.version, "v")
	control := fmt.Sprintf(`Package: pgtasker
Version: %s
Architecture: %s
Maintainer: The pgtasker authors <pgtasker@example.invalid>
Installed-Size: %d
Depends: passwd
Recommends: ca-certificates
Suggests: postgresql (>= 15)
Section: database
Priority: optional
Description: durable multi-step workflows in PostgreSQL
 The command line tasker, which migrates databases, registers templates and
 shows what becomes of tasks, and services for systemd that are started when
 they are configured: the orchestrator, the page with the REST server, and the
 relay of events.
`, number, arch, (size+1023)/1024)
	entries = append(entries, entry{"DEBIAN/control", []byte(control), 0o644})
	for _, script := range []string{"postinst", "prerm", "postrm"} {
		text, err := os.ReadFile(filepath.Join(root, "deploy/debian", script))
		if err != nil {
			return "", err
		}
		entries = append(entries, entry{"DEBIAN/" + script, text, 0o755})
	}
	if err := writeTree(tree, entries, c.at); err != nil {
		return "", err
	}
	name = fmt.Sprintf("pgtasker_%s_%s.deb", number, arch)
	cmd := exec.CommandContext(ctx, "dpkg-deb", "--root-owner-group", "-Zgzip", "--build", tree, filepath.Join(folder, name))
	cmd.Env = append(os.Environ(), fmt.Sprint("SOURCE_DATE_EPOCH=", c.at.Unix()))
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("dpkg-deb: %w\n%s", err, out)
	}
	return name, nil
}

// writeTree writes the entries, with modes and times that do not depend on this machine.
func writeTree(tree string, entries []entry, at time.Time) error {
	for _, e := range entries {
		path := filepath.Join(tree, filepath.FromSlash(e.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, e.text, e.mode); err != nil {
			return err
		}
		if err := os.Chmod(path, e.mode); err != nil {
			return err
		}
	}
	return filepath.WalkDir(tree, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(path, 0o755)
		}
		if err == nil {
			err = os.Chtimes(path, at, at)
		}
		return err
	})
}
