package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/modules"
	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

// TestMake_MakesWhatThisMachineCanRun is the short form of "make test-dist": the files for this platform, without the clients.
func TestMake_MakesWhatThisMachineCanRun(t *testing.T) {
	t.Parallel()
	root, err := checkout.Root()
	require.NoError(t, err)
	folder, own := t.TempDir(), runtime.GOOS+"/"+runtime.GOARCH
	require.NoError(t, Make(t.Context(), Config{Root: root, Folder: folder, Platforms: []string{own}, Say: t.Logf}))

	// SHA256SUMS has the right sum of every file.
	files, err := artefacts(folder, nil)
	require.NoError(t, err)
	sums, err := os.ReadFile(filepath.Join(folder, "SHA256SUMS"))
	require.NoError(t, err)
	for _, file := range files {
		if file.name != "SHA256SUMS" {
			require.Contains(t, string(sums), file.sum+"  "+file.name+"\n")
		}
	}
	require.Len(t, strings.Split(strings.TrimSpace(string(sums)), "\n"), len(files)-1)

	archive, err := filepath.Glob(filepath.Join(folder, "tasker_*.tar.gz"))
	require.NoError(t, err)
	require.Len(t, archive, 1)
	packed := unpack(t, archive[0])
	for _, name := range []string{"LICENSE", "LICENCES.txt", "README.txt", "pgtasker.sql", "template.schema.json", "completions/_tasker", "completions/tasker.bash", "completions/tasker.fish"} {
		require.NotEmpty(t, packed[name], name)
	}
	program := filepath.Join(t.TempDir(), "tasker")
	require.NoError(t, os.WriteFile(program, packed["tasker"], 0o755))
	info, err := buildinfo.ReadFile(program)
	require.NoError(t, err)
	requireBill(t, folder, info.Deps, string(packed["LICENCES.txt"]))
	requireRunsAlone(t, program, info.Main.Version)
	requirePackage(t, folder)
}

func unpack(t *testing.T, name string) map[string][]byte {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	compressed, err := gzip.NewReader(bytes.NewReader(text))
	require.NoError(t, err)
	found := map[string][]byte{}
	for archive := tar.NewReader(compressed); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		require.NoError(t, err)
		require.Zero(t, header.Uid)
		_, inner, _ := strings.Cut(header.Name, "/")
		found[inner], err = io.ReadAll(archive)
		require.NoError(t, err)
	}
}

// requireBill compares the list of parts and the licences with the libraries that the program reports as compiled in.
func requireBill(t *testing.T, folder string, deps []*debug.Module, licences string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.cdx.json"))
	require.NoError(t, err)
	require.Len(t, names, 1)
	text, err := os.ReadFile(names[0])
	require.NoError(t, err)
	var b bom
	require.NoError(t, json.Unmarshal(text, &b))
	require.Equal(t, "CycloneDX", b.Format)
	require.Regexp(t, `^urn:uuid:[0-9a-f-]{36}$`, b.Serial)
	components := map[string]component{}
	for _, c := range b.Components {
		require.NotContains(t, components, c.Ref)
		require.NotEmpty(t, c.Licences, c.Ref)
		require.NotEmpty(t, c.Licences[0].Expression, c.Ref)
		components[c.Ref] = c
	}
	var compiled []string
	for _, dep := range deps {
		if strings.HasPrefix(dep.Path, modules.Prefix) {
			continue
		}
		ref := "pkg:golang/" + dep.Path + "@" + dep.Version
		require.Contains(t, components, ref)
		require.Contains(t, licences, "\n"+dep.Path+" "+dep.Version+": ")
		compiled = append(compiled, ref)
	}
	require.Greater(t, len(compiled), 15)
	for _, d := range b.Dependencies {
		if strings.HasPrefix(d.Ref, "file:tasker_") {
			require.Subset(t, d.On, compiled, d.Ref)
		}
	}
}

// requireRunsAlone runs the program as a container image FROM scratch would: without any other file, and not as root.
func requireRunsAlone(t *testing.T, program, version string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, "--version")
	if os.Geteuid() == 0 && runtime.GOOS == "linux" {
		cmd = exec.CommandContext(t.Context(), "/tasker", "--version")
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: filepath.Dir(program), Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
		cmd.Dir, cmd.Env = "/", []string{}
		require.NoError(t, os.Chmod(filepath.Dir(program), 0o755))
	}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "tasker "+version+"\n", string(out))
}

// requirePackage looks into the Debian package. tools/deb-test.sh installs it.
func requirePackage(t *testing.T, folder string) {
	t.Helper()
	if _, err := exec.LookPath("dpkg-deb"); err != nil || runtime.GOOS != "linux" {
		t.Log("no Debian package: dpkg-deb is missing")
		return
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.deb"))
	require.NoError(t, err)
	require.Len(t, names, 1)
	tree := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "dpkg-deb", "--extract", names[0], tree).CombinedOutput()
	require.NoError(t, err, "%s", out)
	exposure := regexp.MustCompile(`Overall exposure level for \S+: (\d+\.\d)`)
	for _, unit := range units {
		path := filepath.Join(tree, "usr/lib/systemd/system/tasker-"+unit+".service")
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(text), "NoNewPrivileges=yes")
		require.NotContains(t, string(text), "@HARDENING@")
		if _, err := exec.LookPath("systemd-analyze"); err != nil {
			t.Log("systemd-analyze is missing: it judges no unit")
			continue
		}
		// The tool complains about units of this machine, too, and ends with an error since the program is not installed
		// here.
		out, _ := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", path).CombinedOutput()
		for line := range strings.Lines(string(out)) {
			if strings.Contains(line, "tasker-") && !strings.Contains(line, "Command /usr/bin/tasker is not executable") {
				require.Fail(t, "systemd refuses a unit", "%s", line)
			}
		}
		out, err = exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=yes", path).CombinedOutput()
		require.NoError(t, err, "%s", out)
		found := exposure.FindStringSubmatch(string(out))
		require.NotNil(t, found, "%s", out)
		require.Less(t, found[1], "2.0", unit)
	}
}

func TestTarball_DependsOnItsEntriesOnly(t *testing.T) {
	t.Parallel()
	at := time.Unix(1_700_000_000, 0)
	entries := []entry{{"a", []byte("text"), 0o644}, {"b/c", []byte("program"), 0o755}}
	for _, pack := range []func(string, []entry, time.Time) ([]byte, error){tarball, zipped} {
		first, err := pack("f", entries, at)
		require.NoError(t, err)
		second, err := pack("f", entries, at)
		require.NoError(t, err)
		require.Equal(t, first, second)
	}
}

func TestIdentify_KnowsLicencesByTheirPhrases(t *testing.T) {
	t.Parallel()
	require.Empty(t, identify("All rights reserved."))
	require.Equal(t, []string{"BSD-2-Clause"}, identify("Redistribution and use in source and\n binary forms, with or without"))
	require.Equal(t, []string{"BSD-3-Clause"}, identify("Redistribution and use in source and binary forms … may not be used to endorse or promote products derived from"))
	require.Equal(t, []string{"Apache-2.0", "MIT"}, identify(
		"Licensed under the Apache License, Version 2.0 … Permission is hereby granted, free of charge, to any person … The above copyright notice and this permission notice shall be included"))
	l := library{Source: modules.Source{Path: "example.org/x", Version: "v1.0.0", Dir: t.TempDir()}}
	require.EqualError(t, l.readLicence(), "example.org/x@v1.0.0 has no licence that is known: add it to package release, if it may be shipped")
}
