package schema

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Release is a release tag and the migrations that it holds.
type Release struct {
	Tag        string
	Migrations map[string]string // text by path
}

// Releases reads the release tags (v*) of the git repository that the directory is in, oldest version
// first. A repository without such a tag has no version.
func Releases(ctx context.Context, dir string) ([]Release, error) {
	tags, err := git(ctx, dir, "tag", "--list", "--sort=version:refname", "v*")
	if err != nil {
		return nil, err
	}
	texts := map[string]string{} // by git's object name: most migrations are in most releases
	var releases []Release
	for _, tag := range strings.Fields(tags) {
		listing, err := git(ctx, dir, "ls-tree", "-r", tag, "--", migrationsDir+"/")
		if err != nil {
			return nil, err
		}
		release := Release{Tag: tag, Migrations: map[string]string{}}
		for _, entry := range lines(listing) { // "<mode> <type> <object>\t<path>"
			meta, path, _ := strings.Cut(entry, "\t")
			object := meta[strings.LastIndexByte(meta, ' ')+1:]
			if _, known := texts[object]; !known {
				if texts[object], err = git(ctx, dir, "show", tag+":./"+path); err != nil {
					return nil, err
				}
			}
			if strings.HasSuffix(path, ".sql") {
				release.Migrations[path] = texts[object]
			}
		}
		releases = append(releases, release)
	}
	return releases, nil
}

// releasedBy returns the first tag that holds the migration, or "".
func releasedBy(releases []Release, path string) string {
	for _, release := range releases {
		if _, ok := release.Migrations[path]; ok {
			return release.Tag
		}
	}
	return ""
}

func git(ctx context.Context, dir string, args ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), nil
}
