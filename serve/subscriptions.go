package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/gen/sqlfn"
	"github.com/pgtasker/pgtasker/internal/direct"
)

const subscriptionPath = "/v1/subscriptions/{subscription}"

var subscriptionOperations = group(
	"Subscriptions",
	list("/v1/subscriptions", "listSubscriptions", "List the subscriptions to the feed, and how far behind each is",
		func(ctx context.Context, e *direct.Executor, _ nothing) ([]gen.SubscriptionDetail, error) {
			return e.ListSubscriptions(ctx, "")
		}).sorted("list_subscriptions"),
	read(subscriptionPath, "getSubscription", "Get a subscription",
		func(ctx context.Context, e *direct.Executor, in subscriptionName) (gen.SubscriptionDetail, error) {
			return firstSubscription(e.ListSubscriptions(ctx, in.Subscription))
		}),
	write(http.MethodPut, subscriptionPath, "setSubscription", "Make a subscription, or give it another filter and target", setSubscription).
		mayRefuse(http.StatusTooManyRequests).
		and("A new one gets what happens from now on, or since a time. One that exists keeps its place; the request says all of its filter and target."),
	write(http.MethodPost, subscriptionPath+"/replay", "replaySubscription", "Deliver once more what the logs hold since a time, with the same UUIDs",
		func(ctx context.Context, e *direct.Executor, in subscriptionReplay) (gen.SubscriptionDetail, error) {
			return e.ReplayEvents(ctx, in.Subscription, in.Since, in.act())
		}),
	write(http.MethodDelete, subscriptionPath, "deleteSubscription", "End a subscription; its place and its dead events are forgotten",
		func(ctx context.Context, e *direct.Executor, in subscriptionEnd) (changedBody, error) {
			return changed(e.Unsubscribe(ctx, in.Subscription, in.act()))
		}),
	list(subscriptionPath+"/dead-events", "listDeadEvents", "List the events of a subscription that were given up, newest first",
		func(ctx context.Context, e *direct.Executor, in deadEvents) ([]gen.DeadEvent, error) {
			return e.ListDeadEvents(ctx, in.Subscription, in.Limit)
		}),
)

type subscriptionName struct {
	Subscription string `path:"subscription" json:"-" doc:"The subscription's name."`
}

type newSubscription struct {
	subscriptionName
	intent
	Namespaces []string        `json:"namespaces,omitempty" doc:"Only events of these namespaces."`
	Templates  []string        `json:"templates,omitempty" doc:"Only of tasks of templates of these names."`
	Kinds      []string        `json:"kinds,omitempty" doc:"Only of tasks, or only of steps: task, step."`
	Events     []string        `json:"events,omitempty" doc:"Only these events, such as Create of a task, Fail of a step."`
	ToStates   []string        `json:"to_states,omitempty" doc:"Only transitions to these states. A task ends in complete, error, cancelled or resolved_manually."`
	Target     json.RawMessage `json:"target,omitempty" doc:"Where tasker relay delivers: {\"webhook\": {\"url\": …}}, {\"pgmq\": {\"queue\": …}} or {\"rabbitmq\": {\"queue\": …}}; without it a program reads."`
	Since      *time.Time      `json:"since,omitempty" doc:"Where a new one begins, instead of now."`
}

type subscriptionEnd struct {
	subscriptionName
	queryIntent
}

type subscriptionReplay struct {
	subscriptionName
	intent
	Since time.Time `json:"since" required:"true" doc:"From when on; it must have passed."`
}

type deadEvents struct {
	subscriptionName
	Limit int32 `query:"limit" json:"-" default:"100" minimum:"1" maximum:"1000" doc:"How many at most."`
}

func setSubscription(ctx context.Context, e *direct.Executor, in newSubscription) (gen.SubscriptionDetail, error) {
	filter, err := json.Marshal(executor.FeedFilter{
		Namespaces: in.Namespaces, Templates: in.Templates, Kinds: in.Kinds, Events: in.Events, ToStates: in.ToStates,
	})
	if err != nil {
		return gen.SubscriptionDetail{}, err
	}
	return e.Subscribe(ctx, sqlfn.SubscribeParams{Subscription: in.Subscription, Filter: filter, Target: in.Target, Since: value(in.Since)}, in.act())
}

// firstSubscription returns the named subscription. If it did not exist, the database would have refused the request.
func firstSubscription(all []gen.SubscriptionDetail, err error) (gen.SubscriptionDetail, error) {
	if err != nil {
		return gen.SubscriptionDetail{}, err
	}
	return all[0], nil
}
