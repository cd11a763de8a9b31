package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is a file of an archive or of a package.
type entry struct {
	name string
	text []byte
	mode os.FileMode
}

// tarball returns the entries as .tar.gz, in a folder of this name.
func tarball(folder string, entries []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(compressed)
	for _, e := range entries {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: folder + "/" + e.name, Size: int64(len(e.text)), Mode: int64(e.mode.Perm()), ModTime: at,
			Uname: "root", Gname: "root", Format: tar.FormatPAX,
		}
		if err := t.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := t.Write(e.text); err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	err = compressed.Close()
	return b.Bytes(), err
}

// zipped returns the entries as .zip, in a folder of this name.
func zipped(folder string, entries []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		header := &zip.FileHeader{Name: folder + "/" + e.name, Method: zip.Deflate, Modified: at.UTC()}
		header.SetMode(e.mode)
		w, err := z.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(e.text); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// artefact is a file of the release.
type artefact struct {
	name, sum, platform string
}

// artefacts returns the files in a folder, sorted by name, with the platform whose program they have.
func artefacts(folder string, platforms map[string]string) ([]artefact, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var found []artefact
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		found = append(found, artefact{e.Name(), hex.EncodeToString(sum[:]), platforms[e.Name()]})
	}
	slices.SortFunc(found, func(a, b artefact) int { return strings.Compare(a.name, b.name) })
	return found, nil
}

// checksums returns SHA256SUMS, the file that "sha256sum --check" reads.
func checksums(files []artefact) []byte {
	var b strings.Builder
	for _, file := range files {
		b.WriteString(file.sum + "  " + file.name + "\n")
	}
	return []byte(b.String())
}
