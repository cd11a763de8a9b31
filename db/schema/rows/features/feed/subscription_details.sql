create or replace view tasker.subscription_details as
select
  ''::text as subscription,
  null::text[] as namespaces,
  null::text[] as templates,
  '{}'::text[] as kinds,
  null::text[] as events,
  null::text[] as to_states,
  null::jsonb as target,
  '-infinity'::timestamptz as complete_until,
  0::double precision as lag_seconds,
  false::boolean as behind,
  null::text as reader,
  null::timestamptz as leased_until,
  0::bigint as delivered,
  0::bigint as dead,
  0::integer as failures,
  null::text as last_error,
  null::timestamptz as last_error_at,
  null::timestamptz as next_attempt_at,
  '-infinity'::timestamptz as created_at,
  ''::text as created_by,
  '-infinity'::timestamptz as updated_at,
  ''::text as updated_by
where false;

comment on view tasker.subscription_details is
  'Row type: a subscription to the feed and its progress.';
comment on column tasker.subscription_details.complete_until is
  'All events that were committed before this time were delivered.';
comment on column tasker.subscription_details.lag_seconds is
  'The number of seconds since complete_until. The lag grows while no process reads, even if there are no events.';
comment on column tasker.subscription_details.behind is
  'Whether retention has dropped events before the subscription read them.';
comment on column tasker.subscription_details.dead is
  'The number of events whose delivery was given up. tasker.list_dead_events returns the newest of them.';
