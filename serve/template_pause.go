package serve

import (
	"context"
	"net/http"
	"time"

	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

var pausingTemplate = write(http.MethodPost, "/v1/templates/{namespace}/{name}/pause", "pauseTemplate", "Stop a template's steps from being claimed: pause its handlers",
	func(ctx context.Context, e *direct.Executor, in templatePause) (pausedHandlers, error) {
		handlers, err := e.PauseTemplate(ctx, sqlfn.PauseTemplateParams{
			Namespace: in.Namespace, Name: in.Name, Until: value(in.Until), Shared: in.Shared,
		}, in.act())
		return pausedHandlers{handlers}, err
	}).and("The pause holds until the template is resumed; past its end it is an incident.")

var resumingTemplate = write(http.MethodPost, "/v1/templates/{namespace}/{name}/resume", "resumeTemplate", "Let a paused template's steps be claimed again",
	func(ctx context.Context, e *direct.Executor, in templateChange) (pausedHandlers, error) {
		handlers, err := e.ResumeTemplate(ctx, in.Namespace, in.Name, in.act())
		return pausedHandlers{handlers}, err
	})

type templateChange struct {
	Namespace string `path:"namespace" json:"-" doc:"The template's namespace."`
	Name      string `path:"name" json:"-" doc:"The template's name."`
	intent
}

type templatePause struct {
	templateChange
	Until  *time.Time `json:"until,omitempty" doc:"When the pause should end; it is an incident after that."`
	Shared bool       `json:"shared,omitempty" doc:"Also pause handlers that other templates of the namespace use; without it the request is refused then."`
}

type pausedHandlers struct {
	Handlers []string `json:"handlers" doc:"The handlers that are paused, or were resumed, for the template."`
}
