package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

var templateOperations = group(
	"Templates",
	registering,
	// The operation reads only the request, so it needs no transaction that writes.
	validation,
	checkedChange,
	list("/v1/templates", "listTemplates", "List the registered templates, by name, newest version first",
		func(ctx context.Context, e *direct.Executor, in ofNamespace) ([]gen.TaskTemplateSummary, error) {
			return e.ListTaskTemplates(ctx, value(in.Namespace))
		}).sorted("list_task_templates"),
	read("/v1/templates/{namespace}/{name}", "getTemplate", "Get a template",
		func(ctx context.Context, e *direct.Executor, in templateName) (gen.TaskTemplate, error) {
			return e.GetTaskTemplate(ctx, in.Namespace, in.Name, value(in.Version))
		}).mayRefuse(http.StatusGone),
	write(http.MethodPost, "/v1/templates/{namespace}/{name}/{version}/retire", "retireTemplate", "Retire a version: no new tasks can be created from it",
		func(ctx context.Context, e *direct.Executor, in templateEnd) (changedBody, error) {
			return changed(e.RetireTaskTemplate(ctx, in.Namespace, in.Name, in.Version, in.act()))
		}),
	pausingTemplate,
	resumingTemplate,
)

var registering = register()

func register() operation {
	o := write(http.MethodPost, "/v1/templates", "registerTemplate", "Register a version of a task template",
		func(ctx context.Context, e *direct.Executor, in newTemplate) (gen.TemplateRegistration, error) {
			return e.RegisterTaskTemplate(ctx, in.Template, in.act())
		}).and("The same content again changes nothing. A version that is registered with other content, or by a program with other types, is refused.")
	o.conflicted = func(ctx context.Context, e *direct.Executor, in any) error {
		_, err := e.NoteRefusedProgram(ctx, in.(*newTemplate).Template)
		return err
	}
	return o
}

var validation = validate()

// validationWithin is how long a validation may take. The validation of a large template takes a second. Only an attack would
// take longer.
const validationWithin = 5 * time.Second

func validate() operation {
	o := list("/v1/templates/validate", "validateTemplate", "Check a template without registering it",
		func(ctx context.Context, e *direct.Executor, in templateDocument) ([]gen.TemplateProblem, error) {
			return e.ValidateTaskTemplate(ctx, in.Template)
		}).and("The problems of the template, none if it can be registered.")
	o.method = http.MethodPost
	o.within = validationWithin
	return o
}

var checkedChange = checkChange()

func checkChange() operation {
	o := list("/v1/templates/check", "checkTemplateChange", "Say what it means to deploy a template, with the database as it is",
		func(ctx context.Context, e *direct.Executor, in templateDocument) ([]gen.TemplateFinding, error) {
			return e.CheckTemplateChange(ctx, in.Template)
		}).and("Changes nothing. It reads the newest 1,000 open tasks of the template at most; the finding bound says how many of how many.")
	o.method = http.MethodPost
	return o
}

type templateDocument struct {
	Template json.RawMessage `body:"true" doc:"The template."`
}

type newTemplate struct {
	templateDocument
	queryIntent
}

type templateName struct {
	Namespace string  `path:"namespace" doc:"The template's namespace."`
	Name      string  `path:"name" doc:"The template's name."`
	Version   *string `query:"version" doc:"The version; the newest that is not retired if it is left out."`
}

type templateVersion struct {
	Namespace string `path:"namespace" json:"-" doc:"The template's namespace."`
	Name      string `path:"name" json:"-" doc:"The template's name."`
	Version   string `path:"version" json:"-" doc:"The template's version."`
}

type templateEnd struct {
	templateVersion
	intent
}

type ofNamespace struct {
	Namespace *string `query:"namespace" doc:"Of this namespace."`
}

var namespaceOperations = group(
	"Namespaces",
	list("/v1/namespaces", "listNamespaces", "List the namespaces by name",
		func(ctx context.Context, e *direct.Executor, _ nothing) ([]gen.TaskNamespace, error) {
			return e.ListNamespaces(ctx)
		}).sorted("list_namespaces"),
	write(http.MethodPut, "/v1/namespaces/{namespace}", "registerNamespace", "Make sure that a namespace exists, and set what is given",
		func(ctx context.Context, e *direct.Executor, in namespaceSettings) (gen.TaskNamespace, error) {
			return e.RegisterNamespace(ctx, sqlfn.RegisterNamespaceParams{
				Name: in.Namespace, Description: in.Description, Transport: value(in.Transport),
				PriorityModifier: in.PriorityModifier, Notify: value(in.Notify),
			}, in.act())
		}),
	write(http.MethodPost, "/v1/namespaces/{namespace}/pause", "pauseNamespace", "Stop a namespace's steps from being claimed",
		func(ctx context.Context, e *direct.Executor, in namespaceChange) (changedBody, error) {
			return changed(e.PauseNamespace(ctx, in.Namespace, in.act()))
		}),
	write(http.MethodPost, "/v1/namespaces/{namespace}/resume", "resumeNamespace", "Let a namespace's steps be claimed again",
		func(ctx context.Context, e *direct.Executor, in namespaceChange) (changedBody, error) {
			return changed(e.ResumeNamespace(ctx, in.Namespace, in.act()))
		}),
)

type namespaceName struct {
	Namespace string `path:"namespace" json:"-" doc:"The namespace."`
}

type namespaceChange struct {
	namespaceName
	intent
}

type namespaceSettings struct {
	namespaceChange
	Description      *string  `json:"description,omitempty" doc:"What it is for."`
	Transport        *string  `json:"transport,omitempty" doc:"table, pgmq or broker."`
	PriorityModifier *float64 `json:"priority_modifier,omitempty" doc:"Added to the priority of its tasks."`
	Notify           *string  `json:"notify,omitempty" doc:"always, asleep or off."`
}
