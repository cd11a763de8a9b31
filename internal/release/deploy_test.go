package release

import (
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/pgtasker/pgtasker/internal/modules"
	"github.com/pgtasker/pgtasker/internal/pgtest"
	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
	"github.com/pgtasker/pgtasker/serve"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// released returns the root of the tree and the version that it is released as, without the v.
func released(t *testing.T) (root, version string) {
	t.Helper()
	root, err := checkout.Root()
	require.NoError(t, err)
	all, err := modules.Load(t.Context(), root)
	require.NoError(t, err)
	version, err = modules.Version(all)
	require.NoError(t, err)
	return root, strings.TrimPrefix(version, "v")
}

// resource has the fields of a manifest that the test reads.
type resource struct {
	Kind     string
	Metadata struct{ Name string }
	Spec     struct {
		Selector yaml.Node
		Template struct {
			Metadata struct{ Labels map[string]string }
			Spec     struct {
				SecurityContext struct {
					RunAsNonRoot bool `yaml:"runAsNonRoot"`
				} `yaml:"securityContext"`
				Containers []struct {
					Image           string
					Args            []string
					SecurityContext struct {
						AllowPrivilegeEscalation bool `yaml:"allowPrivilegeEscalation"`
						ReadOnlyRootFilesystem   bool `yaml:"readOnlyRootFilesystem"`
						Capabilities             struct{ Drop []string }
					} `yaml:"securityContext"`
				}
			}
		}
	}
}

// The manifests fit together: selectors choose pods, every container is confined, and the image has this version. There is no validator
// of Kubernetes' own schemas here. kubectl kustomize, if it is installed, reads all manifests.
func TestKubernetes_ManifestsHangTogether(t *testing.T) {
	t.Parallel()
	root, version := released(t)
	folder := filepath.Join(root, "deploy/kubernetes")
	kustomization, err := os.ReadFile(filepath.Join(folder, "kustomization.yaml"))
	require.NoError(t, err)
	require.Contains(t, string(kustomization), "newTag: "+version+"\n")
	names, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	require.NoError(t, err)
	var all []resource
	for _, name := range names {
		if base := filepath.Base(name); base != "kustomization.yaml" {
			require.Contains(t, string(kustomization), "- "+base+"\n")
			file, err := os.Open(name)
			require.NoError(t, err)
			decoder := yaml.NewDecoder(file)
			for {
				var r resource
				if err := decoder.Decode(&r); errors.Is(err, io.EOF) {
					break
				} else {
					require.NoError(t, err, name)
				}
				all = append(all, r)
			}
			require.NoError(t, file.Close())
		}
	}
	pods := map[string]bool{}
	for _, r := range all {
		pods[r.Spec.Template.Metadata.Labels["app.kubernetes.io/name"]] = true
		for _, c := range r.Spec.Template.Spec.Containers {
			require.True(t, r.Spec.Template.Spec.SecurityContext.RunAsNonRoot, r.Metadata.Name)
			require.Equal(t, "pgtasker/tasker", c.Image)
			require.NotEmpty(t, c.Args)
			require.False(t, c.SecurityContext.AllowPrivilegeEscalation)
			require.True(t, c.SecurityContext.ReadOnlyRootFilesystem)
			require.Equal(t, []string{"ALL"}, c.SecurityContext.Capabilities.Drop)
		}
	}
	selected := 0
	for _, r := range all {
		var selector struct {
			MatchLabels map[string]string `yaml:"matchLabels"`
			Name        string            `yaml:"app.kubernetes.io/name"`
		}
		if r.Spec.Selector.IsZero() {
			continue
		}
		require.NoError(t, r.Spec.Selector.Decode(&selector))
		selected++
		require.True(t, pods[selector.Name+selector.MatchLabels["app.kubernetes.io/name"]], "%s %s", r.Kind, r.Metadata.Name)
	}
	require.Equal(t, 7, selected, "three deployments, their budgets, a service")
	if kubectl, err := exec.LookPath("kubectl"); err == nil {
		out, err := exec.CommandContext(t.Context(), kubectl, "kustomize", folder).CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Equal(t, len(all), len(regexp.MustCompile("(?m)^kind: ").FindAll(out, -1)))
	} else {
		t.Log("kubectl is missing: it reads no manifest")
	}
}

// The image has the files that its Dockerfile copies, does not run as root, and needs no base.
func TestContainerfile_CopiesWhatTheArchiveHas(t *testing.T) {
	t.Parallel()
	root, version := released(t)
	text, err := os.ReadFile(filepath.Join(root, "deploy/container/Containerfile"))
	require.NoError(t, err)
	var froms []string
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == "FROM":
			froms = append(froms, words[1])
		case words[0] == "COPY":
			for _, name := range words[1 : len(words)-1] {
				require.Contains(t, []string{"LICENSE", "LICENCES.txt", "tasker", "ca-certificates.crt"}, name)
			}
		case words[0] == "USER":
			require.Equal(t, "65532:65532", words[1])
		}
	}
	require.Equal(t, []string{"scratch"}, froms)
	compose, err := os.ReadFile(filepath.Join(root, "deploy/container/compose.yaml"))
	require.NoError(t, err)
	require.Contains(t, string(compose), "image: ${TASKER_IMAGE:-pgtasker/tasker:"+version+"}")
	require.NotRegexp(t, `image: \$\{\w+:-[\w/-]+\}`, string(compose), "an image without a version")
	var services struct {
		Services map[string]struct {
			DependsOn map[string]struct{ Condition string } `yaml:"depends_on"`
			ReadOnly  bool                                  `yaml:"read_only"`
			Image     string
			Ports     []string
		}
	}
	require.NoError(t, yaml.Unmarshal(compose, &services))
	for name, service := range services.Services {
		for other := range service.DependsOn {
			require.Contains(t, services.Services, other, name)
		}
		require.Equal(t, strings.Contains(service.Image, "tasker"), service.ReadOnly, name)
		for _, port := range service.Ports {
			require.True(t, strings.HasPrefix(port, "127.0.0.1:"), port)
		}
	}
	for _, name := range []string{"postgres", "migrate", "serve", "orchestrate", "worker"} {
		require.Contains(t, services.Services, name)
	}
}

// The logins of compose.yaml have the rights that their processes need. The server refuses a superuser on an address beyond this
// machine, and accepts its own login there.
func TestCompose_LoginsCanDoTheirWork(t *testing.T) {
	t.Parallel()
	psql, err := exec.LookPath("psql")
	if err != nil {
		t.Skip("psql is missing")
	}
	root, _ := released(t)
	pool := pgtest.New(t)
	t.Cleanup(func() {
		_, err := pool.Exec(context.Background(), "drop owned by tasker_web, tasker_mover, tasker_demo; drop role tasker_web, tasker_mover, tasker_demo")
		require.NoError(t, err)
	})
	for range 2 { // The script may run again.
		out, err := exec.CommandContext(t.Context(), psql, "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--set=password=it's secret",
			"--file="+filepath.Join(root, "deploy/container/roles.sql"), pgtest.URL(pool)).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	as := func(name string) *pgxpool.Pool {
		address, err := url.Parse(pgtest.URL(pool))
		require.NoError(t, err)
		address.User = url.UserPassword(name, "it's secret")
		login, err := pgxpool.New(t.Context(), address.String())
		require.NoError(t, err)
		t.Cleanup(login.Close)
		return login
	}
	server, err := serve.New(t.Context(), as("tasker_web"), serve.Config{})
	require.NoError(t, err)
	server.Close()
	_, err = as("tasker_mover").Exec(t.Context(), "select from tasker.orchestrate()")
	require.NoError(t, err)
	_, err = as("tasker_demo").Exec(t.Context(), "select from tasker.orchestrate()")
	require.ErrorContains(t, err, "permission denied")
}

// Other files that name a version name the version to be released. The forms for issues have the format that the site demands.
func TestPeople_FilesNameTheVersionThatIsReleased(t *testing.T) {
	t.Parallel()
	root, version := released(t)
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		return string(text)
	}
	var citation struct {
		CFF     string `yaml:"cff-version"`
		Version string
		Authors []map[string]string
		Title   string
		Message string
	}
	require.NoError(t, yaml.Unmarshal([]byte(read("CITATION.cff")), &citation))
	require.Equal(t, version, citation.Version)
	require.Equal(t, "1.2.0", citation.CFF)
	require.NotEmpty(t, citation.Authors)
	require.Contains(t, read("clients/python/pyproject.toml"), "\nversion = \""+version+"\"\n")
	require.Contains(t, read("clients/typescript/package.json"), "\n  \"version\": \""+version+"\",\n")
	forms, err := filepath.Glob(filepath.Join(root, ".github/ISSUE_TEMPLATE/*.yml"))
	require.NoError(t, err)
	require.Len(t, forms, 4)
	for _, name := range forms {
		var form struct {
			Name, Description string
			Body              []struct {
				Type, ID   string
				Attributes map[string]any
			}
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(text, &form), name)
		if filepath.Base(name) == "config.yml" {
			continue
		}
		require.NotEmpty(t, form.Description, name)
		ids := map[string]bool{}
		for _, part := range form.Body {
			require.Contains(t, []string{"markdown", "textarea"}, part.Type, name)
			require.NotEmpty(t, part.Attributes, name)
			require.False(t, part.ID != "" && ids[part.ID], "%s has %s twice", name, part.ID)
			ids[part.ID] = true
		}
	}
}
