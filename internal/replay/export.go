package replay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/state"
)

// Export is the document of a task, as tasker.export_task returns it. docs/task-export.schema.json describes it. It has
// all data that a replay needs.
type Export struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Payloads bool   `json:"payloads"`
	// Blanked are the jsonpaths whose places are null.
	Blanked  []string     `json:"blanked"`
	Template Template     `json:"template"`
	Task     ExportedTask `json:"task"`
	Steps    []Step       `json:"steps"`
	// Accepted are the accepted divergences. An update writes them.
	Accepted []string `json:"accepted"`

	// File and Line are the place from which the document was read.
	File string `json:"-"`
	Line int    `json:"-"`
}

// Template is the version of the template that a task was created from.
type Template struct {
	Namespace string          `json:"namespace"`
	Name      string          `json:"name"`
	Version   string          `json:"version"`
	Content   json.RawMessage `json:"content"`
}

// ExportedTask is the task itself in an export.
type ExportedTask struct {
	TaskUUID            uuid.UUID       `json:"task_uuid"`
	State               state.TaskState `json:"state"`
	Complete            bool            `json:"complete"`
	CorrelationID       uuid.UUID       `json:"correlation_id"`
	ParentCorrelationID *uuid.UUID      `json:"parent_correlation_id"`
	Context             json.RawMessage `json:"context"`
	Headers             json.RawMessage `json:"headers"`
}

// Step is a step of an exported task.
type Step struct {
	StepUUID        uuid.UUID       `json:"step_uuid"`
	StepNo          int32           `json:"step_no"`
	Name            string          `json:"name"`
	Handler         string          `json:"handler"`
	State           state.StepState `json:"state"`
	Attempts        int32           `json:"attempts"`
	MaxAttempts     int32           `json:"max_attempts"`
	LostCount       int32           `json:"lost_count"`
	Priority        int32           `json:"priority"`
	ClaimNo         int32           `json:"claim_no"`
	Parents         []int32         `json:"parents"`
	MapNo           *int32          `json:"map_no"`
	UndoNo          *int32          `json:"undo_no"`
	EffectUUID      *uuid.UUID      `json:"effect_uuid"`
	IsMap           bool            `json:"is_map"`
	ArrayStep       string          `json:"array_step"`
	LastAttemptedAt *time.Time      `json:"last_attempted_at"`
	Inputs          json.RawMessage `json:"inputs"`
	Results         json.RawMessage `json:"results"`
	Checkpoint      json.RawMessage `json:"checkpoint"`
	LastError       *string         `json:"last_error"`
	Wait            *Wait           `json:"wait"`
	Function        *Function       `json:"function"`
	History         []Transition    `json:"history"`
}

// Function has the kept results of a durable function.
type Function struct {
	Round int             `json:"round"`
	State json.RawMessage `json:"state"`
	Kept  []Kept          `json:"kept"`
}

// Kept is the result of a call of a durable function.
type Kept struct {
	Position   int32           `json:"position"`
	Name       string          `json:"name"`
	Occurrence int32           `json:"occurrence"`
	Value      json.RawMessage `json:"value"`
	Error      *string         `json:"error"`
	KeptAt     time.Time       `json:"kept_at"`
}

// Wait is the call in which a durable function is suspended. It has no name if the template's step waits.
type Wait struct {
	Position   int32  `json:"position"`
	Name       string `json:"name"`
	Occurrence int32  `json:"occurrence"`
}

// Transition is a transition of a step.
type Transition struct {
	At       time.Time `json:"at"`
	Event    string    `json:"event"`
	To       string    `json:"to"`
	Metadata struct {
		Error string `json:"error"`
	} `json:"metadata"`
}

// formatVersion is the version of the document that this package reads.
const formatVersion = 1

// decode reads a document.
func decode(raw []byte, file string, line int) (*Export, error) {
	e := &Export{File: file, Line: line}
	if err := json.Unmarshal(raw, e); err != nil {
		return nil, fmt.Errorf("%s: %w", place(file, line), err)
	}
	switch {
	case e.Format != "pgtasker.task":
		return nil, fmt.Errorf("%s: the document is not an exported task", place(file, line))
	case e.Version != formatVersion:
		return nil, fmt.Errorf("%s: the document has version %d of the format; this program reads version %d", place(file, line), e.Version, formatVersion)
	}
	return e, nil
}

func place(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// Read calls each with the exported tasks of a file, or of all *.json and *.ndjson files in a folder and below it, in the order
// of their names. It holds one document at a time.
func Read(path string, each func(*Export) error) error {
	files, err := filesOf(path)
	if err != nil {
		return err
	}
	for _, file := range files {
		err := documents(file, func(raw []byte, line int) error {
			e, err := decode(raw, file, line)
			if err != nil {
				return err
			}
			return each(e)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// stateFile is the file that "tasker task export" writes beside the documents.
const stateFile = "export.json"

func filesOf(path string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		extension := filepath.Ext(name)
		if name == path || (extension == ".json" || extension == ".ndjson") && entry.Name() != stateFile {
			files = append(files, name)
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s has no exported task", path)
	}
	slices.Sort(files)
	return files, err
}

// documents calls each with the documents of a file: the lines of an NDJSON file, or the whole of a JSON file as line 0.
func documents(file string, each func(raw []byte, line int) error) error {
	if filepath.Ext(file) != ".ndjson" {
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return each(raw, 0)
	}
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	lines := bufio.NewReaderSize(in, 1<<16)
	for line := 1; ; line++ {
		raw, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(raw)) > 0 {
			if err := each(raw, line); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// accept writes accepted divergences into the documents of a file, by their lines, and leaves the rest as it is.
func accept(file string, accepted map[int][]string) error {
	var out bytes.Buffer
	err := documents(file, func(raw []byte, line int) error {
		if keys := accepted[line]; keys != nil {
			var document map[string]json.RawMessage
			if err := json.Unmarshal(raw, &document); err != nil {
				return err
			}
			document["accepted"], _ = json.Marshal(keys)
			var err error
			if line == 0 {
				raw, err = json.MarshalIndent(document, "", "  ")
			} else {
				raw, err = json.Marshal(document)
			}
			if err != nil {
				return err
			}
		}
		out.Write(bytes.TrimRight(raw, "\n"))
		out.WriteByte('\n')
		return nil
	})
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", out.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
