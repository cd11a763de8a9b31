package release

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pgtasker/pgtasker/internal/modules"
)

// Platforms are the platforms for which programs are made.
var Platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64"}

// Config configures a release.
type Config struct {
	Root string
	// Folder gets the files. It must be empty or absent.
	Folder    string
	Platforms []string
	// Clients says whether to make the Python wheel and the npm package, too. This needs python3 with setuptools, and
	// npm.
	Clients bool
	Say     func(format string, args ...any)
}

// common are the files of every archive and package.
type common struct {
	version     string
	at          time.Time
	licence     []byte
	licences    []byte
	readme      []byte
	sql         []byte
	schema      []byte
	completions map[string][]byte
}

// Make makes the files of a release.
func Make(ctx context.Context, config Config) (err error) {
	if entries, err := os.ReadDir(config.Folder); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty", config.Folder)
	}
	if err := os.MkdirAll(config.Folder, 0o755); err != nil {
		return err
	}
	world, err := modules.NewWorld(ctx, config.Root, config.Say)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, world.Close()) }()
	c := common{version: world.Version}
	if c.at, err = commitTime(ctx, config.Root); err != nil {
		return err
	}
	// Completions and SQL are printed by a program for this machine.
	programs := map[string]string{}
	own := runtime.GOOS + "/" + runtime.GOARCH
	for _, platform := range slices.Compact(slices.Sorted(slices.Values(append([]string{own}, config.Platforms...)))) {
		goos, goarch, _ := strings.Cut(platform, "/")
		if programs[platform], err = world.Build(ctx, goos, goarch); err != nil {
			return err
		}
	}
	libraries, err := librariesOf(ctx, world, config.Platforms, programs)
	if err != nil {
		return err
	}
	if err := c.gather(ctx, config.Root, programs[own], libraries); err != nil {
		return err
	}
	made, err := c.pack(ctx, config, programs)
	if err != nil {
		return err
	}
	if config.Clients {
		if err := clients(ctx, config, c.at); err != nil {
			return err
		}
	}
	files, err := artefacts(config.Folder, made)
	if err != nil {
		return err
	}
	list, err := bill(c.version, c.at, libraries, files)
	if err != nil {
		return err
	}
	if err := config.write("pgtasker_"+strings.TrimPrefix(c.version, "v")+".cdx.json", list); err != nil {
		return err
	}
	if files, err = artefacts(config.Folder, made); err != nil {
		return err
	}
	return config.write("SHA256SUMS", checksums(files))
}

func (c Config) write(name string, text []byte) error {
	return os.WriteFile(filepath.Join(c.Folder, name), text, 0o644)
}

func commitTime(ctx context.Context, root string) (time.Time, error) {
	out, err := exec.CommandContext(ctx, "git", "-C", root, "log", "-1", "--format=%ct").Output()
	if err != nil {
		return time.Time{}, fmt.Errorf("git log: %w", err)
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

// librariesOf returns the libraries that are compiled into the programs (each program names them), with their licences.
func librariesOf(ctx context.Context, world *modules.World, platforms []string, programs map[string]string) ([]*library, error) {
	found, names := map[string]*library{}, []string{}
	var std *library
	for _, platform := range platforms {
		info, err := buildinfo.ReadFile(programs[platform])
		if err != nil {
			return nil, err
		}
		if info.Main.Version != world.Version {
			return nil, fmt.Errorf("%s is version %s, not %s", programs[platform], info.Main.Version, world.Version)
		}
		if std == nil {
			if std, err = goLibrary(ctx, info.GoVersion); err != nil {
				return nil, err
			}
		}
		std.on = append(std.on, platform)
		for _, dep := range info.Deps {
			if dep.Path == modules.Prefix || strings.HasPrefix(dep.Path, modules.Prefix+"/") {
				continue
			}
			name := dep.Path + "@" + dep.Version
			if found[name] == nil {
				found[name] = &library{}
				names = append(names, name)
			}
			found[name].on = append(found[name].on, platform)
		}
	}
	slices.Sort(names)
	sources, err := world.Sources(ctx, names...)
	if err != nil {
		return nil, err
	}
	all := []*library{std}
	for _, source := range sources {
		l := found[source.Path+"@"+source.Version]
		l.Source = source
		all = append(all, l)
	}
	for _, l := range all {
		if err := l.readLicence(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// gather collects the files of archives and packages beside the program.
func (c *common) gather(ctx context.Context, root, program string, libraries []*library) (err error) {
	print := func(args ...string) []byte {
		if err != nil {
			return nil
		}
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Env = append(os.Environ(), "DATABASE_URL=")
		var out []byte
		if out, err = cmd.Output(); err != nil {
			err = fmt.Errorf("tasker %s: %w", strings.Join(args, " "), err)
		}
		return out
	}
	c.completions = map[string][]byte{}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		c.completions[shell] = print("completion", shell)
	}
	c.sql, c.schema = print("migrate", "dump"), print("template", "schema")
	if err != nil {
		return err
	}
	c.licences = licenceTexts(libraries)
	if c.licence, err = os.ReadFile(filepath.Join(root, "LICENSE")); err != nil {
		return err
	}
	c.readme = []byte("tasker " + c.version + ": durable multi-step workflows in PostgreSQL\n\n" +
		"tasker help           the commands\ntasker dev FOLDER     a server for development, on a PostgreSQL that it finds\n" +
		"tasker migrate up     the schema, in the database of DATABASE_URL; pgtasker.sql is the same for psql\n\n" +
		"completions/          for bash, zsh, fish and PowerShell\ntemplate.schema.json  for editors of templates\nLICENCES.txt          what the program has compiled in\n")
	return nil
}

// pack writes the archives, the Debian packages, and the files that stand beside them. It returns the platforms of its files.
func (c *common) pack(ctx context.Context, config Config, programs map[string]string) (map[string]string, error) {
	made, number := map[string]string{}, strings.TrimPrefix(c.version, "v")
	for _, platform := range config.Platforms {
		goos, goarch, _ := strings.Cut(platform, "/")
		program, err := os.ReadFile(programs[platform])
		if err != nil {
			return nil, err
		}
		folder := fmt.Sprintf("tasker_%s_%s_%s", number, goos, goarch)
		entries := []entry{
			{filepath.Base(programs[platform]), program, 0o755},
			{"LICENCES.txt", c.licences, 0o644},
			{"LICENSE", c.licence, 0o644},
			{"README.txt", c.readme, 0o644},
			{"completions/_tasker", c.completions["zsh"], 0o644},
			{"completions/tasker.bash", c.completions["bash"], 0o644},
			{"completions/tasker.fish", c.completions["fish"], 0o644},
			{"completions/tasker.ps1", c.completions["powershell"], 0o644},
			{"pgtasker.sql", c.sql, 0o644},
			{"template.schema.json", c.schema, 0o644},
		}
		name, pack := folder+".tar.gz", tarball
		if goos == "windows" {
			name, pack = folder+".zip", zipped
		}
		text, err := pack(folder, entries, c.at)
		if err == nil {
			err = config.write(name, text)
		}
		if err != nil {
			return nil, err
		}
		made[name] = platform
		if goos != "linux" {
			continue
		}
		if _, err := exec.LookPath("dpkg-deb"); err != nil {
			config.Say("no Debian package: dpkg-deb is missing")
			continue
		}
		if name, err = deb(ctx, config.Root, config.Folder, goarch, *c, program); err != nil {
			return nil, err
		}
		made[name] = platform
	}
	for name, text := range map[string][]byte{
		"pgtasker_" + number + ".sql": c.sql, "template.schema.json": c.schema, "LICENCES.txt": c.licences, "LICENSE": c.licence,
	} {
		if err := config.write(name, text); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// clients makes the Python wheel and the npm package, by the tools of the languages.
func clients(ctx context.Context, config Config, at time.Time) error {
	folder, err := filepath.Abs(config.Folder)
	if err != nil {
		return err
	}
	config.Say("Python wheel, npm package")
	cmd := exec.CommandContext(ctx, filepath.Join(config.Root, "tools/dist-clients.sh"), folder)
	cmd.Env = append(os.Environ(), fmt.Sprint("SOURCE_DATE_EPOCH=", at.Unix()))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("tools/dist-clients.sh: %w\n%s", err, out)
	}
	return nil
}
