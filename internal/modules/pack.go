package modules

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
)

// Pack writes the modules into dir as a GOPROXY that has one version of each: GOPROXY=file://dir.
func Pack(root, dir, version string, all []Module) error {
	for _, m := range all {
		if err := pack(root, dir, version, m); err != nil {
			return fmt.Errorf("%s: %w", m.Path, err)
		}
	}
	return nil
}

func pack(root, dir, version string, m Module) error {
	place := filepath.Join(dir, filepath.FromSlash(m.Path), "@v")
	if err := os.MkdirAll(place, 0o755); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(root, m.Dir, "go.mod"))
	if err != nil {
		return err
	}
	info := fmt.Sprintf("{\"Version\":%q,\"Time\":\"2000-01-01T00:00:00Z\"}\n", version)
	for name, text := range map[string]string{"list": version + "\n", version + ".info": info, version + ".mod": string(mod)} {
		if err := os.WriteFile(filepath.Join(place, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return archive(root, filepath.Join(place, version+".zip"), m, m.Path+"@"+version)
}

func archive(root, name string, m Module, prefix string) (err error) {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := zip.NewWriter(file)
	for _, name := range m.Files {
		entry, err := w.Create(path.Join(prefix, name))
		if err != nil {
			return err
		}
		if err := copyFile(entry, filepath.Join(root, m.Dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return w.Close()
}

func copyFile(to io.Writer, name string) (err error) {
	from, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	_, err = io.Copy(to, from)
	return err
}
