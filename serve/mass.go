package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

var massOperations = group(
	"Mass actions",
	write(http.MethodPost, "/v1/selections", "createSelection", "Store a set of tasks, steps or dead letters, with its count",
		func(ctx context.Context, e *direct.Executor, in newSelection) (gen.SelectionDetail, error) {
			return e.CreateSelection(ctx, sqlfn.CreateSelectionParams{
				Kind: in.Kind, Filters: in.Filters, IDs: in.IDs, Limit: value(in.Limit), Actor: value(in.Actor), Digest: value(in.Digest),
			})
		}).and("The set has filters or names its entries. It stays as it is, whatever happens to its entries."),
	selectionPreview,
	read("/v1/selections/{selection_uuid}", "getSelection", "Get a selection, in words and with its count",
		func(ctx context.Context, e *direct.Executor, in selection) (gen.SelectionDetail, error) {
			return e.GetSelection(ctx, in.SelectionUUID)
		}),
	paged("/v1/selections/{selection_uuid}/entries", "listSelectionEntries", "List the entries of a selection, and what the mass action did to each", listSelectionEntries,
		func(_ selectionEntries, last gen.SelectionEntryDetail) cursor {
			return afterNumber("listSelectionEntries", int64(last.EntryNo))
		}).sorted("list_selection_entries"),
	write(http.MethodPost, "/v1/selections/{selection_uuid}/act", "startMassAction", "Start an action on every entry of a selection, each once at most",
		func(ctx context.Context, e *direct.Executor, in newMassAction) (changedBody, error) {
			return changed(e.StartMassAction(ctx, sqlfn.StartMassActionParams{
				SelectionUUID: in.SelectionUUID, Action: in.Action, Entries: in.Entries, Reason: in.Reason, Arguments: in.Arguments,
				AtOnce: value(in.AtOnce), PerMinute: value(in.PerMinute), StopShare: value(in.StopShare), CanarySeconds: value(in.CanarySeconds),
				Actor: value(in.Actor),
			}))
		}).and("tasker orchestrate does it in batches: first one entry, then ten, then the rest. The same request again starts nothing.").
		mayRefuse(http.StatusPreconditionRequired),
	paged("/v1/mass-actions", "listMassActions", "List the mass actions, the newest first", listMassActions,
		func(_ massActions, last gen.MassActionDetail) cursor {
			return afterUUID("listMassActions", last.SelectionUUID)
		}).sorted("list_mass_actions"),
	read("/v1/mass-actions/{selection_uuid}", "getMassAction", "Get the mass action on a selection, with how far it is",
		func(ctx context.Context, e *direct.Executor, in selection) (gen.MassActionDetail, error) {
			return e.GetMassAction(ctx, in.SelectionUUID)
		}),
	write(http.MethodPost, "/v1/mass-actions/{selection_uuid}/stop", "stopMassAction", "Stop a mass action: what it has done stays",
		func(ctx context.Context, e *direct.Executor, in massActionChange) (changedBody, error) {
			return changed(e.StopMassAction(ctx, in.SelectionUUID, in.act()))
		}),
	write(http.MethodPost, "/v1/mass-actions/{selection_uuid}/resume", "resumeMassAction", "Let a mass action that was stopped go on",
		func(ctx context.Context, e *direct.Executor, in massActionChange) (changedBody, error) {
			return changed(e.ResumeMassAction(ctx, in.SelectionUUID, in.act()))
		}).mayRefuse(http.StatusPreconditionRequired),
	list("/v1/handlers/pauses", "listHandlerPauses", "List the handlers that are paused",
		func(ctx context.Context, e *direct.Executor, in ofNamespace) ([]gen.HandlerPause, error) {
			return e.ListHandlerPauses(ctx, value(in.Namespace))
		}).sorted("list_handler_pauses"),
	write(http.MethodPost, "/v1/namespaces/{namespace}/handlers/{handler}/pause", "pauseHandler", "Stop a handler's steps from being claimed",
		func(ctx context.Context, e *direct.Executor, in handlerPause) (changedBody, error) {
			return changed(e.PauseHandler(ctx, in.Namespace, in.Handler, value(in.Until), in.act()))
		}).and("The pause holds until the handler is resumed; past its end it is an incident."),
	write(http.MethodPost, "/v1/namespaces/{namespace}/handlers/{handler}/resume", "resumeHandler", "Let a handler's steps be claimed again",
		func(ctx context.Context, e *direct.Executor, in handlerChange) (changedBody, error) {
			return changed(e.ResumeHandler(ctx, in.Namespace, in.Handler, in.act()))
		}),
)

type newSelection struct {
	Kind    string          `json:"kind" required:"true" enum:"tasks steps dead_letters" doc:"The kind of the entries."`
	Filters json.RawMessage `json:"filters,omitempty" doc:"An object. Of tasks: namespace, name, version, state, tags, correlation_id, requested_after, requested_before, incident, identity_key, initiator, schedule, handler, step, error, longer_than, attributes, where; of steps: incident; of dead letters: namespace, reason, status (pending)."`
	IDs     []uuid.UUID     `json:"ids,omitempty" doc:"The entries, named one by one, instead of filters."`
	Limit   *int32          `json:"limit,omitempty" minimum:"1" maximum:"10000" doc:"How many at most; 10,000 if it is left out."`
	Actor   *string         `json:"actor,omitempty" doc:"The person or system for whom; the selection names it beside the token."`
	Digest  *string         `json:"digest,omitempty" doc:"The digest of previewSelection: other entries than those are refused."`
}

var selectionPreview = previewSelection()

func previewSelection() operation {
	o := read("/v1/selections/preview", "previewSelection", "Say what a selection would have now, without storing it",
		func(ctx context.Context, e *direct.Executor, in newSelection) (gen.SelectionPreview, error) {
			return e.PreviewSelection(ctx, sqlfn.PreviewSelectionParams{Kind: in.Kind, Filters: in.Filters, IDs: in.IDs, Limit: value(in.Limit)})
		})
	o.method = http.MethodPost
	return o
}

type selection struct {
	SelectionUUID uuid.UUID `path:"selection_uuid" json:"-" doc:"The selection."`
}

type selectionEntries struct {
	selection
	paging
	State *string `query:"state" enum:"waits open passed failed skipped" doc:"Of which the mass action made this."`
}

func listSelectionEntries(ctx context.Context, e *direct.Executor, in selectionEntries) ([]gen.SelectionEntryDetail, error) {
	after, err := in.Cursor.sortKey("listSelectionEntries")
	if err != nil {
		return nil, err
	}
	return e.ListSelectionEntries(ctx, sqlfn.ListSelectionEntriesParams{SelectionUUID: in.SelectionUUID, State: value(in.State), After: value(after), Limit: in.Limit})
}

type newMassAction struct {
	selection
	Action        string          `json:"action" required:"true" enum:"reset cancel fork resolve retry complete requeue" doc:"Of tasks: reset, cancel, fork, resolve; of steps: retry, complete, resolve; of dead letters: requeue."`
	Entries       int32           `json:"entries" required:"true" doc:"The number of entries that was confirmed."`
	Reason        string          `json:"reason" required:"true" doc:"Why; goes into the history of each task."`
	Arguments     json.RawMessage `json:"arguments,omitempty" doc:"An object. Of a fork: version, from_step, cancel; of a completion: results."`
	AtOnce        *bool           `json:"at_once,omitempty" doc:"Whether it acts on all entries without trying one and ten first."`
	PerMinute     *int32          `json:"per_minute,omitempty" minimum:"1" maximum:"100000" doc:"On how many of the rest it acts in a minute; any number if it is left out."`
	StopShare     *float64        `json:"stop_share,omitempty" doc:"It stops when a larger share of the known outcomes are failures; 0.2 if it is left out."`
	CanarySeconds *int32          `json:"canary_seconds,omitempty" minimum:"1" maximum:"86400" doc:"How long it waits for the outcomes of one and of ten; 300 if it is left out."`
	Actor         *string         `json:"actor,omitempty" doc:"The person or system for whom; the history names it beside the token."`
}

type massActions struct {
	paging
	State *string `query:"state" enum:"running stopped done" doc:"In this state."`
}

func listMassActions(ctx context.Context, e *direct.Executor, in massActions) ([]gen.MassActionDetail, error) {
	before, err := in.Cursor.uuid("listMassActions")
	if err != nil {
		return nil, err
	}
	return e.ListMassActions(ctx, value(in.State), value(before), in.Limit)
}

type massActionChange struct {
	selection
	intent
}

type handlerChange struct {
	namespaceName
	Handler string `path:"handler" json:"-" doc:"The handler."`
	intent
}

type handlerPause struct {
	handlerChange
	Until *time.Time `json:"until,omitempty" doc:"When the pause should end; it is an incident after that."`
}
