package release

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/internal/modules"
)

// These are the parts of CycloneDX 1.5 that the list uses.
type (
	bom struct {
		Format       string       `json:"bomFormat"`
		Spec         string       `json:"specVersion"`
		Serial       string       `json:"serialNumber"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version,omitempty"`
		Hashes     []hash     `json:"hashes,omitempty"`
		Licences   []licence  `json:"licenses,omitempty"`
		PURL       string     `json:"purl,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	licence struct {
		Expression string `json:"expression,omitempty"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref string   `json:"ref"`
		On  []string `json:"dependsOn,omitempty"`
	}
)

// bill returns the list of shipped parts: the files of the release, and the libraries in the programs.
func bill(version string, at time.Time, libraries []*library, files []artefact) ([]byte, error) {
	number := strings.TrimPrefix(version, "v")
	self := component{
		Type: "application", Ref: "pgtasker", Name: "pgtasker", Version: number, Licences: []licence{{"MIT"}},
		PURL: "pkg:golang/" + modules.Prefix + "@" + version,
	}
	b := bom{
		Format: "CycloneDX", Spec: "1.5", Version: 1,
		Metadata: metadata{Timestamp: at.UTC().Format(time.RFC3339), Component: self},
	}
	var identity strings.Builder
	for _, file := range files {
		identity.WriteString(file.sum + file.name)
		c := component{Type: "file", Ref: "file:" + file.name, Name: file.name, Version: number, Hashes: []hash{{"SHA-256", file.sum}}, Licences: []licence{{"MIT"}}}
		b.Components = append(b.Components, c)
		on := []string{}
		for _, l := range libraries {
			if file.platform != "" && contains(l.on, file.platform) {
				on = append(on, l.ref())
			}
		}
		b.Dependencies = append(b.Dependencies, dependency{c.Ref, on})
	}
	for _, l := range libraries {
		c := component{
			Type: "library", Ref: l.ref(), Name: l.Path, Version: l.Version, Licences: []licence{{l.licence}}, PURL: l.ref(),
			Properties: []property{{"pgtasker:platforms", strings.Join(l.on, " ")}},
		}
		if l.Sum != "" {
			c.Properties = append(c.Properties, property{"pgtasker:go.sum", l.Sum})
		}
		b.Components = append(b.Components, c)
	}
	b.Serial = "urn:uuid:" + uuid.NewSHA1(uuid.NameSpaceOID, []byte(identity.String())).String()
	text, err := json.MarshalIndent(b, "", "  ")
	return append(text, '\n'), err
}

func (l *library) ref() string { return fmt.Sprintf("pkg:golang/%s@%s", l.Path, l.Version) }

func contains(all []string, one string) bool {
	for _, each := range all {
		if each == one {
			return true
		}
	}
	return false
}
