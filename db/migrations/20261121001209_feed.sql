-- feed: subscriptions to every transition of tasks and steps
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/data/feed_settings.sql
-- down: delete from tasker.settings as s where s.name in ('max_subscriptions', 'dead_events');

insert into tasker.settings (name, kind, value, default_value, minimum, maximum, description)
select
  d.name,
  d.kind,
  d.value,
  d.value,
  d.minimum,
  d.maximum,
  d.description
from (values
  ('max_subscriptions', 'integer', '100', 0, 10000, 'How many subscriptions to the feed there may be.'),
  ('dead_events', 'integer', '1000', 1, 100000, 'How many events that could not be delivered one subscription keeps.')
) as d (name, kind, value, minimum, maximum, description);
-- <<<

-- >>> db/schema/rows/features/feed/feed_keys.sql
create or replace view tasker.feed_keys as
select
  '-infinity'::timestamptz as created_at,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  0::integer as sort_key
where false;

comment on view tasker.feed_keys is
  'Row type: the key of a transition in the feed. Events are delivered in the order of this key. step_no is 0 for a transition of the task itself, and sort_key is 0 for the creation.';
-- <<<

-- >>> db/schema/rows/features/feed/feed_finds.sql
create or replace view tasker.feed_finds as
select
  '-infinity'::timestamptz as created_at,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  0::integer as sort_key,
  ''::text as event,
  null::tasker.step_state as step_from,
  null::tasker.step_state as step_to,
  null::tasker.task_state as task_from,
  null::tasker.task_state as task_to,
  null::integer as claim_no,
  null::bigint as execution_time_ms,
  null::uuid as worker_uuid,
  null::text as actor,
  null::text as reason,
  null::jsonb as metadata,
  false::boolean as has_more
where false;

comment on view tasker.feed_finds is
  'Row type: a transition that the feed found in a log and lists until a reader reads it. The first four columns are its key (tasker.feed_keys).';
comment on column tasker.feed_finds.has_more is
  'Whether long values of actor, reason or metadata were left out here. They are read from the log when the event is delivered.';
-- <<<

-- >>> db/schema/tables/features/feed/subscriptions.sql
create table tasker.subscriptions (
  subscription     text         not null,
  namespaces       text[],
  templates        text[],
  kinds            text[]       not null,
  events           text[],
  to_states        text[],
  target           jsonb,
  snapshot         pg_snapshot  not null,
  snapshot_at      timestamptz  not null,
  since            timestamptz,
  until            pg_snapshot,
  until_at         timestamptz,
  window_no        bigint       not null  default 0,
  place_at         timestamptz,
  place_task_uuid  uuid,
  place_step_no    integer,
  place_sort_key   integer,
  list_no          bigint       not null  default 0,
  list_end         bigint       not null  default 0,
  last_key         tasker.feed_keys,
  slice_seconds    double precision  not null  default 60,
  reader_uuid      uuid,
  reader           text,
  leased_until     timestamptz,
  delivered        bigint       not null  default 0,
  dead             bigint       not null  default 0,
  failures         integer      not null  default 0,
  last_error       text,
  last_error_at    timestamptz,
  next_attempt_at  timestamptz,
  placed_at        timestamptz  not null,
  created_at       timestamptz  not null,
  created_by       text         not null,
  updated_at       timestamptz  not null,
  updated_by       text         not null,

  constraint subscriptions_pkey
    primary key (subscription),
  constraint subscriptions_subscription_check
    check (subscription ~ '^[a-z][a-z0-9_-]{0,47}$'),
  constraint subscriptions_until_check
    check ((until is null) = (until_at is null)),
  constraint subscriptions_place_check
    check (num_nulls(place_task_uuid, place_step_no, place_sort_key) in (0, 3) and (place_task_uuid is null or place_at is not null))
);

comment on table tasker.subscriptions is
  'The subscriptions to the feed and their progress. Events themselves are not stored: they are read from the transition logs.';
comment on column tasker.subscriptions.snapshot is
  'The snapshot up to which the reader has come: it has read all events that this snapshot sees. Events of transactions that the snapshot does not see are still to be delivered.';
comment on column tasker.subscriptions.since is
  'The time from which a replay delivers events. Null after all events of the replay were delivered.';
comment on column tasker.subscriptions.until is
  'The snapshot at which the present window ends. The window has the events that this snapshot sees and the column snapshot does not see, in the order of time. Null between windows.';
comment on column tasker.subscriptions.place_at is
  'The place in the window up to which all events were acknowledged or do not pass the filter.';
comment on column tasker.subscriptions.list_no is
  'The first row of tasker.feed_lists that has events behind the place. If this equals list_end, there is no such row.';
comment on column tasker.subscriptions.last_key is
  'The last event of the window. Null until it was found. The window ends when the place reaches this event.';
comment on column tasker.subscriptions.slice_seconds is
  'The span of time, in seconds, that one query of a long window covers. The span adapts to the number of events that a query finds.';
comment on column tasker.subscriptions.reader_uuid is
  'The only process that may read until leased_until.';
comment on column tasker.subscriptions.placed_at is
  'The time when the subscription was created or last replayed. Partitions that were dropped before that time do not count as missed.';
-- <<<

-- >>> db/schema/tables/features/feed/feed_lists.sql
create table tasker.feed_lists (
  subscription  text                 not null,
  list_no       bigint               not null,
  last_key      tasker.feed_keys     not null,
  finds         tasker.feed_finds[]  not null,

  constraint feed_lists_pkey
    primary key (subscription, list_no),
  constraint feed_lists_subscription_fkey
    foreign key (subscription) references tasker.subscriptions (subscription) on delete cascade
);

-- The compression of these lists would cost more than all other work of a read.
alter table tasker.feed_lists alter column finds set storage external;

comment on table tasker.feed_lists is
  'The events of a window that were found but not read yet. A row has at most a hundred events. A batch thus reads only the events that it returns. Rows exist while more events are due than one batch takes.';
comment on column tasker.feed_lists.list_no is
  'The number of the row within its subscription. Rows from the subscription''s list_no up to, but without, its list_end are still to be read.';
-- <<<

-- >>> db/schema/tables/features/feed/missed_events.sql
create table tasker.missed_events (
  subscription  text         not null,
  suffix        text         not null,
  dropped_at    timestamptz  not null,

  constraint missed_events_pkey
    primary key (subscription, suffix, dropped_at),
  constraint missed_events_subscription_fkey
    foreign key (subscription) references tasker.subscriptions (subscription) on delete cascade
);

comment on table tasker.missed_events is
  'Partitions that retention dropped before a subscription had read their last events.';
-- <<<

-- >>> db/schema/tables/features/feed/dead_events.sql
create table tasker.dead_events (
  subscription  text         not null,
  event_uuid    uuid         not null,
  event         jsonb        not null,
  failures      integer      not null,
  error         text         not null,
  died_at       timestamptz  not null,

  constraint dead_events_pkey
    primary key (subscription, event_uuid),
  constraint dead_events_subscription_fkey
    foreign key (subscription) references tasker.subscriptions (subscription) on delete cascade
);

create index dead_events_died_idx
  on tasker.dead_events (subscription, died_at);

comment on index tasker.dead_events_died_idx is
  'Serves the list of dead events, newest first, and the deletion of the oldest ones.';

comment on table tasker.dead_events is
  'Events that a target refused so often that the relay gave up delivering them. The setting dead_events is the number of such events that each subscription keeps.';
-- <<<

-- >>> db/schema/rows/features/feed/feed_events.sql
create or replace view tasker.feed_events as
select
  ''::text as place,
  '00000000-0000-0000-0000-000000000000'::uuid as event_uuid,
  ''::text as kind,
  ''::text as event,
  '-infinity'::timestamptz as happened_at,
  ''::text as namespace,
  ''::text as task_name,
  ''::text as task_version,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  null::uuid as correlation_id,
  null::uuid as workflow_step_uuid,
  null::text as step_name,
  0::integer as sort_key,
  null::text as from_state,
  ''::text as to_state,
  null::integer as claim_no,
  null::bigint as execution_time_ms,
  null::uuid as worker_uuid,
  null::text as actor,
  null::text as reason,
  '{}'::jsonb as metadata
where false;

comment on view tasker.feed_events is
  'Row type: a transition of a task or of a step, as subscribers get it.';
comment on column tasker.feed_events.place is
  'The position in the feed, an opaque text to pass to tasker.acknowledge_events.';
comment on column tasker.feed_events.event_uuid is
  'The UUID of the transition. It stays the same if the transition is delivered several times.';
comment on column tasker.feed_events.kind is
  '"task" or "step".';
comment on column tasker.feed_events.sort_key is
  'The number of the transition among the transitions of its task or of its step. The creation has number 0.';
-- <<<

-- >>> db/schema/rows/features/feed/subscription_details.sql
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
-- <<<

-- >>> db/schema/functions/features/feed/private/feed_snapshot.sql
create or replace function tasker.feed_snapshot()
  returns pg_snapshot
  language plpgsql
as $$
declare
  v_own      xid8 := pg_current_xact_id_if_assigned();
  v_snapshot pg_snapshot;
begin
  select pg_current_snapshot() into v_snapshot;
  if v_own is null or v_own >= pg_snapshot_xmax(v_snapshot) then
    return v_snapshot;
  end if;
  return concat(
    least(v_own, pg_snapshot_xmin(v_snapshot)), ':', pg_snapshot_xmax(v_snapshot), ':',
    (select string_agg(x.xid::text, ',' order by x.xid) from (select v_own union select pg_snapshot_xip(v_snapshot)) as x (xid))
  )::pg_snapshot;
end;
$$;

comment on function tasker.feed_snapshot is
$$Returns a snapshot of the transactions that have ended, which becomes the end of a window of the feed. A plain snapshot does not list the caller's own transaction as running, although that transaction may still write. The returned snapshot lists it. The caller must be volatile, so that its later queries see at least these transactions.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/raise_subscription_not_found.sql
create or replace function tasker.raise_subscription_not_found(p_subscription text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK404',
    message = format('subscription %s does not exist', coalesce('"' || left(p_subscription, 100) || '"', 'null')),
    hint    = 'tasker.list_subscriptions() lists subscriptions; tasker.subscribe() makes one.';
end;
$$;

comment on function tasker.raise_subscription_not_found is
$$Raises TK404 for a subscription that does not exist.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/check_subscription_namespaces.sql
create or replace function tasker.check_subscription_namespaces(p_namespaces text[])
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_namespaces is null then
    perform tasker.check_unbound();
  else
    perform tasker.check_bound_namespaces(p_namespaces);
  end if;
end;
$$;

comment on function tasker.check_subscription_namespaces is
$$Raises TK403 unless the caller may see all namespaces of a subscription. Null means all namespaces that exist.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/check_subscription_name.sql
create or replace function tasker.check_subscription_name(p_subscription text, p_found boolean, p_namespaces text[])
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[];
begin
  if not (tasker.is_scoped() or exists (select from tasker.role_bindings)) then
    return;
  end if;
  v_bound := tasker.bound_namespaces();
  if v_bound is null
     or p_found and p_namespaces <@ v_bound
     or not p_found and exists (select from unnest(v_bound) as b (namespace) where starts_with(p_subscription, b.namespace || '_')) then
    return;
  end if;
  raise exception using
    errcode = 'TK403',
    message = format('a caller that is bound to namespaces may not use the name %s', coalesce('"' || left(p_subscription, 100) || '"', 'null')),
    detail  = format('The caller is bound to %s.', coalesce(nullif(array_to_string(v_bound[:10], ', '), ''), 'no namespace')),
    hint    = 'tasker.list_subscriptions() lists the subscriptions that it may use. It names new ones after one of its namespaces: <namespace>_<name>.';
end;
$$;

comment on function tasker.check_subscription_name is
$$Raises TK403 unless the caller may use the name p_subscription. p_found says whether a subscription has this name; p_namespaces are the namespaces of that subscription. A bound caller gets the same error for a foreign subscription as for a name that the caller may not give to a new subscription.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/lock_subscription.sql
create or replace function tasker.lock_subscription(p_subscription text)
  returns tasker.subscriptions
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_subscription tasker.subscriptions;
begin
  select s.*
    into v_subscription
    from tasker.subscriptions as s
   where s.subscription = p_subscription
     for no key update;
  perform tasker.check_subscription_name(p_subscription, found, v_subscription.namespaces);
  if v_subscription.subscription is null then
    perform tasker.raise_subscription_not_found(p_subscription);
  end if;
  return v_subscription;
end;
$$;

comment on function tasker.lock_subscription is
$$Locks a subscription, waiting if necessary, and returns it. Raises TK404 if there is no such subscription, TK403 if the caller is not bound to all namespaces of the subscription.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/take_subscription.sql
create or replace function tasker.take_subscription(p_subscription text, p_reader_uuid uuid)
  returns tasker.subscriptions
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_subscription tasker.subscriptions := tasker.lock_subscription(p_subscription);
begin
  if p_reader_uuid is null then
    raise exception using
      errcode = 'TK422',
      message = 'a reader of the feed needs a UUID',
      hint    = 'Each process takes a new one.';
  elsif v_subscription.reader_uuid <> p_reader_uuid and v_subscription.leased_until > tasker.clock() then
    raise exception using
      errcode = 'TK409',
      message = format('subscription "%s" is read by another process', p_subscription),
      detail  = format('%s reads it until %s.', v_subscription.reader, v_subscription.leased_until),
      hint    = 'Try again when its lease has ended, or make a subscription for each reader.';
  end if;
  return v_subscription;
end;
$$;

comment on function tasker.take_subscription is
$$Locks a subscription for its reader and returns the subscription. Raises TK404 if there is no such subscription, TK409 while another process reads it, TK422 without a reader, TK403 if the caller is not bound to all namespaces of the subscription.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/subscription_is_behind.sql
create or replace function tasker.subscription_is_behind(p_subscription tasker.subscriptions)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select
      from tasker.missed_events as m
     where m.subscription = p_subscription.subscription
       and m.dropped_at >= p_subscription.placed_at
  ) or pg_snapshot_xmin(p_subscription.snapshot) > pg_snapshot_xmax(pg_current_snapshot());
end;
$$;

comment on function tasker.subscription_is_behind is
$$Returns whether events that a subscription has not delivered yet are lost. Either their partition was dropped, or the subscription's place is from another server, whose dump was restored here.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/raise_missed_events.sql
create or replace function tasker.raise_missed_events(p_subscription tasker.subscriptions)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK410',
    message = format('subscription "%s" has missed events', p_subscription.subscription),
    detail  = format(
      'It has come to %s; later events are gone with their partitions.',
      coalesce(p_subscription.place_at, p_subscription.snapshot_at)
    ),
    hint    = 'Call tasker.replay_events(subscription, since) to go on with what is kept.';
end;
$$;

comment on function tasker.raise_missed_events is
$$Raises TK410 for a subscription whose next events were dropped.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/raise_bad_lease.sql
create or replace function tasker.raise_bad_lease(p_lease_seconds integer)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK422',
    message = format('a lease of %s seconds is out of range', coalesce(p_lease_seconds::text, 'null')),
    hint    = 'Pass 1 to 3600.';
end;
$$;

comment on function tasker.raise_bad_lease is
$$Raises TK422 for a reader's lease that is out of range.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/shown_target.sql
create or replace function tasker.shown_target(p_target jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not p_target ? 'webhook'
     or pg_has_role(tasker.caller_name(), 'tasker_orchestrator', 'usage')
     or pg_has_role(tasker.caller_name(), 'tasker_operator', 'usage') then
    return p_target;
  end if;
  return jsonb_set(p_target, '{webhook,url}', to_jsonb(substring(p_target #>> '{webhook,url}' from '^https?://[^/?#]+') || '/…'));
end;
$$;

comment on function tasker.shown_target is
$$Returns the target of a subscription as the caller may see it. Roles that are only readers see only the host of a webhook's URL, because the rest of the URL is often secret.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/describe_subscription.sql
create or replace function tasker.describe_subscription(p_subscription tasker.subscriptions)
  returns setof tasker.subscription_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  s       tasker.subscriptions := p_subscription;
  v_until timestamptz          := greatest(s.snapshot_at, case when s.until is not null then s.place_at end);
begin
  return query
  select
    s.subscription, s.namespaces, s.templates, s.kinds, s.events, s.to_states, tasker.shown_target(s.target), v_until,
    greatest(extract(epoch from tasker.clock() - v_until), 0)::double precision,
    tasker.subscription_is_behind(s),
    case when s.leased_until > tasker.clock() then s.reader end,
    case when s.leased_until > tasker.clock() then s.leased_until end,
    s.delivered, s.dead, s.failures, s.last_error, s.last_error_at, s.next_attempt_at,
    s.created_at, s.created_by, s.updated_at, s.updated_by;
end;
$$;

comment on function tasker.describe_subscription is
$$Returns a subscription in the form that tasker.list_subscriptions returns.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/check_filter.sql
create or replace function tasker.check_filter(p_filter jsonb)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
begin
  if jsonb_typeof(p_filter) <> 'object' then
    v_problem := format('It is a JSON %s.', jsonb_typeof(p_filter));
  else
    select case
        when f.key not in ('namespaces', 'templates', 'kinds', 'events', 'to_states') then format('"%s" is not known.', left(f.key, 100))
        when jsonb_typeof(f.value) <> 'array' then format('"%s" is not an array.', f.key)
        when jsonb_array_length(f.value) not between 1 and 100 then format('"%s" has %s elements.', f.key, jsonb_array_length(f.value))
        else (
          select format('"%s" has the element %s.', f.key, left(e.value::text, 100))
            from jsonb_array_elements(f.value) as e (value)
           where jsonb_typeof(e.value) <> 'string'
              or length(e.value #>> '{}') not between 1 and 200
              or f.key = 'kinds' and e.value #>> '{}' not in ('task', 'step')
           limit 1
        )
      end
      into v_problem
      from jsonb_each(p_filter) as f (key, value)
     order by 1 nulls last
     limit 1;
  end if;
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = 'the filter of a subscription is malformed',
      detail  = v_problem,
      hint    = 'It is an object of arrays of strings, each with 1 to 100 elements: namespaces, templates, kinds (task, step), events, to_states.';
  end if;
end;
$$;

comment on function tasker.check_filter is
$$Raises TK422 if p_filter is not a valid filter of events.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/filter_list.sql
create or replace function tasker.filter_list(p_filter jsonb, p_key text)
  returns text[]
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select array_agg(distinct e.value order by e.value)
      from jsonb_array_elements_text(p_filter -> p_key) as e (value)
  );
end;
$$;

comment on function tasker.filter_list is
$$Returns one list of a checked filter, sorted, or null if the filter does not have this list.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/checked_target.sql
create or replace function tasker.checked_target(p_target jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind  text;
  v_queue text;
  v_bound text[] := tasker.bound_namespaces();
begin
  if p_target is null then
    return null;
  end if;
  if jsonb_typeof(p_target) = 'object' and length(p_target::text) <= 4000 then
    select k.key into v_kind from jsonb_object_keys(p_target) as k (key);
    v_queue := p_target #>> array[v_kind, 'queue'];
    if (
         (select count(*) from jsonb_object_keys(p_target)) = 1
         and jsonb_typeof(p_target -> v_kind) = 'object'
         and (
           v_kind = 'webhook'
           and (p_target -> v_kind) - 'url' - 'own_secret' = '{}'
           and p_target #>> '{webhook,url}' ~ '^https?://[^[:space:][:cntrl:]@]+$'
           and coalesce(jsonb_typeof(p_target #> '{webhook,own_secret}') = 'boolean', true)
           or v_kind in ('pgmq', 'rabbitmq')
           and (p_target -> v_kind) - 'queue' = '{}'
           and v_queue ~ '^[A-Za-z0-9_.-]{1,47}$'
         )
       ) is not true then
      v_kind := null;
    end if;
  end if;

  case v_kind
    when 'pgmq' then
      perform tasker.check_queue_right(v_queue, 'insert');
      return p_target;
    when 'rabbitmq' then
      -- The relay declares and fills the queue with its own rights, and steps and dead letters have queues there too.
      if v_queue ~ '^steps-|_dead$'
         or not exists (select from unnest(v_bound) as b (namespace) where starts_with(v_queue, 'events-' || b.namespace || '-'))
            and v_bound is not null then
        raise exception using
          errcode = 'TK403',
          message = format('events may not be sent to queue "%s" of RabbitMQ', v_queue),
          detail  = case
            when v_queue ~ '^steps-|_dead$' then 'Steps go through the queues steps-…, and dead letters to those that end in _dead.'
            else format('The caller is bound to %s.', coalesce(nullif(array_to_string(v_bound[:10], ', '), ''), 'no namespace'))
          end,
          hint    = 'Name another queue. A caller that is bound to namespaces names events-<namespace>-<name>.';
      end if;
      return p_target;
    when 'webhook' then
      return case when v_bound is null then p_target else jsonb_set(p_target, '{webhook,own_secret}', 'true') end;
    else
      raise exception using
        errcode = 'TK422',
        message = 'the target of a subscription is malformed',
        detail  = left(p_target::text, 200),
        hint    = 'It is {"pgmq": {"queue": name}}, {"rabbitmq": {"queue": name}} or {"webhook": {"url": "https://…"}}, whose URL holds no user.';
  end case;
end;
$$;

comment on function tasker.checked_target is
$$Returns the target of a subscription in the stored form. If the caller is bound, a webhook gets "own_secret": true, so that its requests are signed only with a secret of this subscription. Raises TK422 for an object that is not a valid target, TK403 for a queue that the caller may not send to.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/check_filter_names.sql
create or replace function tasker.check_filter_names(p_kinds text[], p_events text[], p_to_states text[])
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_message text;
  v_hint    text;
begin
  with possible (kind, event, to_state) as (
    values ('task', 'Create', 'pending')
    union all
    select 'task', m.event, m.to_state::text from tasker.task_state_machine as m
    union all
    select 'step', m.event, m.to_state::text from tasker.step_state_machine as m
  ),
  names (word, name, kind, reached) as (
    select 'event', p.event, p.kind, p_to_states is null or p.to_state = any (p_to_states) from possible as p
    union all
    select 'state', p.to_state, p.kind, p_events is null or p.event = any (p_events) from possible as p
  ),
  wanted (word, name) as (
    select 'event', u.name from unnest(p_events) as u (name)
    union all
    select 'state', u.name from unnest(p_to_states) as u (name)
  ),
  judged as (
    select
      w.word,
      w.name,
      count(n.name) > 0 as known,
      count(*) filter (where n.kind = any (p_kinds)) > 0 as has_kind,
      count(*) filter (where n.kind = any (p_kinds) and n.reached) > 0 as possible
      from wanted as w
      left join names as n
        on n.word = w.word
       and n.name = w.name
     group by w.word, w.name
  )
  select
    case
      when not j.known then format('no %s is called "%s"', j.word, left(j.name, 100))
      when not j.has_kind then format('a %s has no %s "%s"', p_kinds[1], j.word, j.name)
      when j.word = 'event' then format('event "%s" leads to none of the states of the filter', j.name)
      else format('no event of the filter leads to state "%s"', j.name)
    end,
    case
      when not j.known then coalesce('Did you mean "' || (
        select tasker.nearest_name(j.name, array_agg(distinct n.name))
          from names as n
         where n.word = j.word
           and n.kind = any (p_kinds)
      ) || '"? ', '') || 'docs/states.md has the events and the states.'
      when not j.has_kind and p_kinds = '{task}' then
        'It belongs to steps. Filter the ends of tasks by state: {"kinds": ["task"], "to_states": ["complete", "error", "cancelled", "resolved_manually"]}.'
      when not j.has_kind then 'It belongs to tasks: name the kind "task", too.'
      else 'A transition passes the filter if both its event and its state are listed. Leave out one of the lists.'
    end
    into v_message, v_hint
    from judged as j
   where not j.possible
   order by j.word, j.name
   limit 1;
  if v_message is not null then
    raise exception using
      errcode = 'TK422',
      message = v_message,
      detail  = format('The filter has the kinds %s.', array_to_string(p_kinds, ', ')),
      hint    = v_hint;
  end if;
end;
$$;

comment on function tasker.check_filter_names is
$$Raises TK422 for an event or a state that no transition of these kinds has. A list that is null allows all names.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/find_feed_events.sql
create or replace function tasker.find_feed_events(
  p_subscription  tasker.subscriptions,
  p_from          timestamptz,
  p_to            timestamptz,
  p_limit         integer
)
  returns tasker.feed_finds[]
  language plpgsql
  stable
as $$
declare
  s            tasker.subscriptions := p_subscription;
  -- Each row that the snapshot does not see has at least this transaction number. A BRIN index serves this single
  -- condition. The index does not serve the two exact conditions, which are joined by "or".
  v_xmin       bigint               := pg_snapshot_xmin(s.snapshot)::text::bigint;
  v_xmax       bigint               := pg_snapshot_xmax(s.snapshot)::text::bigint;
  v_open       bigint[]             := array(select x.xid::text::bigint from pg_snapshot_xip(s.snapshot) as x (xid));
  -- These numbers express the same condition as pg_visible_in_snapshot(xact, until).
  v_until      bigint               := pg_snapshot_xmax(s.until)::text::bigint;
  v_until_open bigint[]             := array(select x.xid::text::bigint from pg_snapshot_xip(s.until) as x (xid));
  v_tasks      boolean              := 'task' = any (s.kinds);
  v_steps      boolean              := 'step' = any (s.kinds);
  v_new        boolean              := v_tasks and (s.events is null or 'Create' = any (s.events))
                                       and (s.to_states is null or 'pending' = any (s.to_states));
  v_all        boolean              := s.namespaces is null and s.templates is null;
  v_templates  uuid[];
  v_step_to    tasker.step_state[];
  v_task_to    tasker.task_state[];
  v_step_paths smallint[];
  v_task_paths smallint[];
begin
  if not v_all then
    v_templates := array(
      select k.named_task_uuid
        from tasker.named_tasks as k
        join tasker.task_namespaces as n
          on n.task_namespace_uuid = k.task_namespace_uuid
       where (s.namespaces is null or n.name = any (s.namespaces))
         and (s.templates is null or k.name = any (s.templates))
    );
  end if;
  if s.to_states is not null then
    v_step_to := array(select k.state from tasker.step_states as k where k.state::text = any (s.to_states));
    v_task_to := array(select k.state from tasker.task_states as k where k.state::text = any (s.to_states));
  end if;
  -- The paths with a transition that passes the filter. Null means all paths.
  if s.events is not null or s.to_states is not null then
    v_step_paths := array(
      select u.path
        from tasker.step_log_paths as u
       where (s.events is null or u.event = any (s.events))
         and (v_step_to is null or u.to_state = any (v_step_to))
    );
    v_task_paths := array(
      select u.path
        from tasker.task_log_paths as u
       where (s.events is null or u.event = any (s.events))
         and (v_task_to is null or u.to_state = any (v_task_to))
    );
  end if;
  return array(
    -- Rows of the logs, in the order of their transitions. Each row has at least one event that passes the filter, except
    -- that at most one row has its events partly before and partly after the place. So p_limit + 1 rows have enough
    -- events.
    with logged as materialized (
      select
        r.created_at, r.task_uuid, r.step_no, r.sort_key, r.path, r.claim_no, r.execution_time_ms, r.worker_uuid,
        -- A query may find thousands of events. Check the stored sizes, so that the check reads no values.
        case when pg_column_size(r.actor) <= 300 then r.actor end as actor,
        case when pg_column_size(r.reason) <= 300 then r.reason end as reason,
        case when pg_column_size(r.metadata) <= 300 then r.metadata end as metadata,
        -- Keep the count, which is the whole metadata of some transitions.
        case
          when pg_column_size(r.outcome) <= 300 then r.outcome
          when r.outcome is not null then jsonb_build_object('count', r.outcome -> 'count')
        end as outcome,
        (pg_column_size(r.actor) > 300 or pg_column_size(r.reason) > 300) is true as long,
        (pg_column_size(r.metadata) > 300) is true as long_metadata,
        (pg_column_size(r.outcome) > 300) is true as long_outcome
        from (
          select f.*
            from (
              select
                l.created_at, l.task_uuid, l.step_no, l.sort_key, l.path::smallint as path, l.claim_no,
                l.execution_time_ms::bigint as execution_time_ms, l.worker_uuid, l.actor, l.reason, l.metadata, null::jsonb as outcome
                from tasker.step_log as l
               where v_steps
                 and l.created_at >= p_from
                 and l.created_at < p_to
                 and l.xact >= v_xmin
                 and l.xact < v_until
                 and (l.xact >= v_xmax or l.xact = any (v_open))
                 and l.xact <> all (v_until_open)
                 and (v_step_paths is null or l.path = any (v_step_paths))
              union all
              select
                l.created_at, l.task_uuid, 0, l.sort_key, l.path::smallint, null, null, l.processor_uuid, l.actor, l.reason, l.metadata, l.outcome
                from tasker.task_log as l
               where v_tasks
                 and l.created_at >= p_from
                 and l.created_at < p_to
                 and l.xact >= v_xmin
                 and l.xact < v_until
                 and (l.xact >= v_xmax or l.xact = any (v_open))
                 and l.xact <> all (v_until_open)
                 and (
                       v_task_paths is null
                       or l.path = any (v_task_paths)
                       -- A creation has no row of its own. The row of the first transition also reports the
                       -- creation.
                       or v_new and (l.path::smallint, l.sort_key) in (
                         select u.path::smallint, u.after + 1 from tasker.task_log_paths as u where u.position = 1
                       )
                     )
              union all
              -- A task that starts later has no row in the log yet. Its timer reports the creation.
              select t.requested_at, m.task_uuid, 0, 0, 0::smallint, null, null, null, null, null, null, null
                from tasker.timers as m
               cross join lateral (
                 select t.requested_at
                   from tasker.tasks as t
                  where t.task_uuid = m.task_uuid
                 offset 0
               ) as t
               where v_new
                 and m.kind = 'start_task'
                 and m.xact >= v_xmin
                 and m.xact < v_until
                 and (m.xact >= v_xmax or m.xact = any (v_open))
                 and m.xact <> all (v_until_open)
                 and t.requested_at >= p_from
                 and t.requested_at < p_to
            ) as f
           where (
                   s.place_task_uuid is null
                   or (f.created_at, f.task_uuid, f.step_no, f.sort_key)
                      > (s.place_at, s.place_task_uuid, s.place_step_no, s.place_sort_key)
                 )
             and (
                   v_all
                   or exists (
                     select
                       from tasker.tasks as t
                      where t.task_uuid = f.task_uuid
                        and t.named_task_uuid = any (v_templates)
                     offset 0
                   )
                 )
           order by f.created_at, f.task_uuid, f.step_no, f.sort_key
           limit p_limit + 1
        ) as r
    ),
    -- Group the rows, so that each path is looked up only once.
    paths as (
      select l.path, l.step_no > 0 as of_step, array_agg(l) as logged
        from logged as l
       group by 1, 2
    ),
    found as (
      select
        l.created_at, l.task_uuid, l.step_no, l.sort_key - u.after as sort_key, u.event, u.from_state as step_from,
        u.to_state as step_to, null::tasker.task_state as task_from, null::tasker.task_state as task_to, l.claim_no,
        case when u.position = 1 then l.execution_time_ms end as execution_time_ms,
        case when u.position = 1 then l.worker_uuid end as worker_uuid, l.actor, l.reason,
        case when u.position = 1 then l.metadata end as metadata,
        l.long or u.position = 1 and l.long_metadata as cut
        from paths as p
        join tasker.step_log_paths as u
          on u.path = p.path
       cross join lateral unnest(p.logged) as l (
         created_at timestamptz, task_uuid uuid, step_no integer, sort_key integer, path smallint, claim_no integer,
         execution_time_ms bigint, worker_uuid uuid, actor text, reason text, metadata jsonb, outcome jsonb, long boolean,
         long_metadata boolean, long_outcome boolean
       )
       where p.of_step
         and (s.events is null or u.event = any (s.events))
         and (v_step_to is null or u.to_state = any (v_step_to))
      union all
      select
        l.created_at, l.task_uuid, 0, c.sort_key, c.event, null, null, c.from_state, c.to_state, null, null, c.processor_uuid,
        c.actor, c.reason, c.metadata, c.cut
        from paths as p
        left join tasker.task_log_paths as u
          on u.path = p.path
       cross join lateral unnest(p.logged) as l (
         created_at timestamptz, task_uuid uuid, step_no integer, sort_key integer, path smallint, claim_no integer,
         execution_time_ms bigint, worker_uuid uuid, actor text, reason text, metadata jsonb, outcome jsonb, long boolean,
         long_metadata boolean, long_outcome boolean
       )
       cross join lateral (
         select
           l.sort_key - u.after as sort_key, u.event, u.from_state, u.to_state, l.worker_uuid as processor_uuid, l.actor, l.reason,
           case u.shows
             when 'm' then l.metadata
             when 'o' then case when not l.long_outcome then l.outcome end
             when 'c' then jsonb_build_object('count', l.outcome -> 'count')
             when 'k' then u.constant
           end as metadata,
           l.long or (case u.shows when 'm' then l.long_metadata when 'o' then l.long_outcome end) is true as cut
          where u.path is not null
            and (s.events is null or u.event = any (s.events))
            and (v_task_to is null or u.to_state = any (v_task_to))
         union all
         select 0, 'Create', null, 'pending', null, null, null, null, false
          where v_new and l.sort_key - coalesce(u.after, -1) = 1
       ) as c
       where not p.of_step
    )
    select row(
      f.created_at, f.task_uuid, f.step_no, f.sort_key, f.event, f.step_from, f.step_to, f.task_from, f.task_to, f.claim_no,
      f.execution_time_ms, f.worker_uuid, f.actor, f.reason, f.metadata, f.cut
    )::tasker.feed_finds
      from found as f
     where s.place_task_uuid is null
        or (f.created_at, f.task_uuid, f.step_no, f.sort_key)
           > (s.place_at, s.place_task_uuid, s.place_step_no, s.place_sort_key)
     order by f.created_at, f.task_uuid, f.step_no, f.sort_key
     limit p_limit
  );
end;
$$;

comment on function tasker.find_feed_events is
$$Returns the next events of a subscription's window, at most p_limit, in the order of time. The events are dated from p_from to before p_to and come after the subscription's place.

A row belongs to the window if the transaction that wrote it is visible in "until" but not in "snapshot". The BRIN indexes of the logs find such rows by transaction number and by time.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/list_feed_events.sql
create or replace function tasker.list_feed_events(p_subscription text, p_from bigint, p_finds tasker.feed_finds[])
  returns bigint
  language plpgsql
as $$
begin
  insert into tasker.feed_lists (subscription, list_no, last_key, finds)
  select
    p_subscription, p_from + g.no,
    row((l.find).created_at, (l.find).task_uuid, (l.find).step_no, (l.find).sort_key)::tasker.feed_keys,
    p_finds[g.no * 100 + 1 : g.no * 100 + 100]
    from generate_series(0, (cardinality(p_finds) - 1) / 100) as g (no)
   cross join lateral (
     select p_finds[least(g.no * 100 + 100, cardinality(p_finds))] as find
     offset 0
   ) as l;
  return p_from + (cardinality(p_finds) + 99) / 100;
end;
$$;

comment on function tasker.list_feed_events is
$$Writes events of a window to tasker.feed_lists, 100 events in each row, beginning with row number p_from. Returns the number that follows the last row's number.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/forget_feed_lists.sql
create or replace function tasker.forget_feed_lists(p_subscription tasker.subscriptions)
  returns bigint
  language plpgsql
as $$
declare
  s       tasker.subscriptions := p_subscription;
  v_no    bigint               := s.list_no;
  v_place tasker.feed_keys     := row(s.place_at, s.place_task_uuid, s.place_step_no, s.place_sort_key);
begin
  while v_no < s.list_end and s.place_task_uuid is not null loop
    delete from tasker.feed_lists as l
     where l.subscription = s.subscription
       and l.list_no = v_no
       and l.last_key <= v_place;
    exit when not found;
    v_no := v_no + 1;
  end loop;
  return v_no;
end;
$$;

comment on function tasker.forget_feed_lists is
$$Deletes the rows of tasker.feed_lists whose events lie before or at a subscription's place. Returns the number of the first remaining row, or list_end if no row remains.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/next_feed_events.sql
create or replace function tasker.next_feed_events(p_subscription tasker.subscriptions, p_limit integer)
  returns tasker.feed_finds[]
  language plpgsql
  stable
as $$
declare
  s       tasker.subscriptions := p_subscription;
  v_list  tasker.feed_finds[];
  v_finds tasker.feed_finds[]  := '{}';
  v_read  integer              := 0;
begin
  for v_list in
    select l.finds
      from tasker.feed_lists as l
     where l.subscription = s.subscription
       and l.list_no >= s.list_no
       and l.list_no < s.list_end
     order by l.list_no
     limit p_limit / 100 + 2
  loop
    if v_finds = '{}' and s.place_task_uuid is not null then
      select count(*)
        into v_read
        from unnest(v_list) as f
       where (f.created_at, f.task_uuid, f.step_no, f.sort_key)
             <= (s.place_at, s.place_task_uuid, s.place_step_no, s.place_sort_key);
    end if;
    v_finds := v_finds || v_list;
    exit when cardinality(v_finds) >= v_read + p_limit;
  end loop;
  return v_finds[v_read + 1 : v_read + p_limit];
end;
$$;

comment on function tasker.next_feed_events is
$$Returns the next events from tasker.feed_lists that come after a subscription's place, at most p_limit, in their order.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/feed_slice_end.sql
create or replace function tasker.feed_slice_end(p_subscription tasker.subscriptions, p_from timestamptz)
  returns timestamptz
  language plpgsql
  stable
as $$
begin
  return case
    when p_subscription.until_at - greatest(p_from, p_subscription.snapshot_at) <= p_subscription.slice_seconds * interval '1 second'
      then 'infinity'
    when p_from < p_subscription.snapshot_at then p_subscription.snapshot_at
    else p_from + p_subscription.slice_seconds * interval '1 second'
  end;
end;
$$;

comment on function tasker.feed_slice_end is
$$Returns the end of the slice of a subscription's window that begins at p_from. The end is infinity if the slice is the whole rest of the window.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/note_feed_finds.sql
create or replace function tasker.note_feed_finds(
  p_subscription  tasker.subscriptions,
  p_finds         tasker.feed_finds[],
  p_to            timestamptz,
  p_limit         integer,
  p_listed        integer
)
  returns tasker.subscriptions
  language plpgsql
as $$
declare
  s       tasker.subscriptions := p_subscription;
  v_found integer              := cardinality(p_finds);
  v_last  tasker.feed_finds;
begin
  if v_found = p_listed then
    s.slice_seconds := greatest(s.slice_seconds / 2, 0.01);
  elsif p_to < 'infinity' and v_found < p_listed / 4 then
    s.slice_seconds := least(s.slice_seconds * 2, 86400);
  elsif p_to = 'infinity' and v_found > 0 then
    v_last := p_finds[v_found];
    s.last_key := row(v_last.created_at, v_last.task_uuid, v_last.step_no, v_last.sort_key);
  end if;
  -- To list a few events and delete the list again would cost more than to search for these events once more.
  if v_found > 2 * p_limit then
    s.list_no := s.list_end;
    s.list_end := tasker.list_feed_events(s.subscription, s.list_end, p_finds);
  end if;
  return s;
end;
$$;

comment on function tasker.note_feed_finds is
$$Returns a subscription after a query that found p_finds, at most p_listed events, in a slice that ends at p_to. Sets the length of the next slice. If the events are the rest of the window, sets the last event of the window. If there are more than twice p_limit events, writes them to tasker.feed_lists for the next reads, and sets the numbers of the written rows.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/place_after.sql
create or replace function tasker.place_after(p_subscription tasker.subscriptions, p_find tasker.feed_finds)
  returns tasker.subscriptions
  language plpgsql
  immutable
as $$
declare
  s tasker.subscriptions := p_subscription;
begin
  s.place_at := p_find.created_at;
  s.place_task_uuid := p_find.task_uuid;
  s.place_step_no := p_find.step_no;
  s.place_sort_key := p_find.sort_key;
  return s;
end;
$$;

comment on function tasker.place_after is
$$Returns a subscription whose place is after an event of its window.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/end_feed_slice.sql
create or replace function tasker.end_feed_slice(p_subscription tasker.subscriptions, p_to timestamptz)
  returns tasker.subscriptions
  language plpgsql
  immutable
as $$
declare
  s tasker.subscriptions := p_subscription;
begin
  if p_to < 'infinity' then
    s.place_at := p_to;
  else
    s.snapshot := s.until;
    s.snapshot_at := s.until_at;
    s.since := null;
    s.until := null;
    s.until_at := null;
    s.place_at := null;
    s.last_key := null;
  end if;
  s.place_task_uuid := null;
  s.place_step_no := null;
  s.place_sort_key := null;
  return s;
end;
$$;

comment on function tasker.end_feed_slice is
$$Returns a subscription after all events of a slice that ends at p_to. The subscription's place is then p_to, or after the window if p_to is infinity.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/complete_feed_events.sql
create or replace function tasker.complete_feed_events(p_finds tasker.feed_finds[], p_first uuid, p_last uuid)
  returns tasker.feed_finds[]
  language plpgsql
  stable
as $$
begin
  if not exists (select from unnest(p_finds) as f where f.has_more) then
    return p_finds;
  end if;
  return array(
    select row(
        f.created_at, f.task_uuid, f.step_no, f.sort_key, f.event, f.step_from, f.step_to, f.task_from, f.task_to, f.claim_no,
        f.execution_time_ms, f.worker_uuid, coalesce(f.actor, l.actor), coalesce(f.reason, l.reason),
        coalesce(f.metadata, l.metadata), false
      )::tasker.feed_finds
      from unnest(p_finds) with ordinality as f (
        created_at, task_uuid, step_no, sort_key, event, step_from, step_to, task_from, task_to, claim_no, execution_time_ms,
        worker_uuid, actor, reason, metadata, has_more, no
      )
      left join lateral (
        select l.actor, l.reason, l.metadata
          from tasker.workflow_step_transition_log as l
         where f.has_more
           and f.step_no > 0
           and l.task_uuid = f.task_uuid
           and l.step_no = f.step_no
           and l.sort_key = f.sort_key
           and l.row_key between f.sort_key and f.sort_key + 1
           and l.task_uuid between p_first and p_last
        union all
        select l.actor, l.reason, l.metadata
          from tasker.task_transition_log as l
         where f.has_more
           and f.step_no = 0
           and l.task_uuid = f.task_uuid
           and l.sort_key = f.sort_key
           and l.row_key between f.sort_key and f.sort_key + 4
           and l.task_uuid between p_first and p_last
        offset 0
      ) as l on true
     order by f.no
  );
end;
$$;

comment on function tasker.complete_feed_events is
$$Returns events of a window with the long texts that find_feed_events left out. The tasks of the events lie between p_first and p_last.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/describe_feed_events.sql
create or replace function tasker.describe_feed_events(p_window_no bigint, p_finds tasker.feed_finds[], p_first uuid, p_last uuid)
  returns setof tasker.feed_events
  language plpgsql
  stable
  set enable_hashjoin = on
as $$
begin
  return query
  -- The callers of this function have hash joins off. Without a hash join each of a thousand events would be compared
  -- with all tasks and steps. The joined sets are in memory, so a hash join is right at any size. The query reads tables
  -- only by key, in lateral subqueries with a limit or an offset, which no hash join can replace; internal/tests/plantest
  -- ensures this.
  with keys as materialized (
    select f.task_uuid, array_agg(f.step_no) as step_nos
      from unnest(p_finds) as f
     group by f.task_uuid
  ),
  tasks as materialized (
    select u.task_uuid, u.step_nos, t.correlation_id, t.initiator, t.reason, t.requested_at, n.namespace, n.name, n.version
      from keys as u
     cross join lateral (
       select t.named_task_uuid, t.correlation_id, t.initiator, t.reason, t.requested_at
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
          and t.task_uuid between p_first and p_last
        limit 1
     ) as t
     cross join lateral (
       select n.name as namespace, k.name, k.version
         from tasker.named_tasks as k
         join tasker.task_namespaces as n
           on n.task_namespace_uuid = k.task_namespace_uuid
        where k.named_task_uuid = t.named_task_uuid
       offset 0
     ) as n
  ),
  logs as materialized (
    select t.*, 0 as step_no, null::uuid as workflow_step_uuid, null as step_name
      from tasks as t
    union all
    select t.*, w.step_no, w.workflow_step_uuid, w.name
      from tasks as t
     cross join lateral (
       select w.step_no, w.workflow_step_uuid, w.name
         from tasker.workflow_steps as w
        where w.task_uuid = t.task_uuid
          and w.step_no = any (t.step_nos)
          and w.task_uuid between p_first and p_last
       offset 0
     ) as w
  )
  select
    concat_ws(
      ' ', p_window_no, encode(timestamptz_send(f.created_at), 'hex'), f.task_uuid, f.step_no, f.sort_key
    ),
    tasker.transition_uuid(f.task_uuid, f.step_no, f.sort_key),
    case when f.step_no = 0 then 'task' else 'step' end,
    f.event,
    case when f.sort_key = 0 then t.requested_at else f.created_at end,
    t.namespace, t.name, t.version, f.task_uuid, t.correlation_id, t.workflow_step_uuid, t.step_name, f.sort_key,
    coalesce(f.step_from::text, f.task_from::text), coalesce(f.step_to::text, f.task_to::text), f.claim_no, f.execution_time_ms,
    f.worker_uuid,
    case when f.sort_key = 0 then t.initiator else f.actor end,
    case when f.sort_key = 0 then t.reason else f.reason end,
    coalesce(f.metadata, '{}')
  from unnest(p_finds) with ordinality as f (
    created_at, task_uuid, step_no, sort_key, event, step_from, step_to, task_from, task_to, claim_no, execution_time_ms,
    worker_uuid, actor, reason, metadata, has_more, no
  )
  join logs as t
    on t.task_uuid = f.task_uuid
   and t.step_no = f.step_no
  order by f.no;
end;
$$;

comment on function tasker.describe_feed_events is
$$Returns events of a window in the form that subscribers get, with the data of their tasks and steps, in the order of p_finds. The tasks of the events lie between p_first and p_last. Events whose partition was dropped are left out.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/write_subscription.sql
create or replace function tasker.write_subscription(
  p_subscription   tasker.subscriptions,
  p_reader_uuid    uuid,
  p_lease_seconds  integer
)
  returns timestamptz
  language plpgsql
as $$
declare
  s       tasker.subscriptions := p_subscription;
  v_until timestamptz          := tasker.write_clock() + p_lease_seconds * interval '1 second';
begin
  update tasker.subscriptions as u
     set snapshot        = s.snapshot,
         snapshot_at     = s.snapshot_at,
         since           = s.since,
         until           = s.until,
         until_at        = s.until_at,
         window_no       = s.window_no,
         place_at        = s.place_at,
         place_task_uuid = s.place_task_uuid,
         place_step_no   = s.place_step_no,
         place_sort_key  = s.place_sort_key,
         list_no         = s.list_no,
         list_end        = s.list_end,
         last_key        = s.last_key,
         slice_seconds   = s.slice_seconds,
         reader_uuid     = p_reader_uuid,
         reader          = tasker.caller_name(),
         leased_until    = v_until
   where u.subscription = s.subscription;
  return v_until;
end;
$$;

comment on function tasker.write_subscription is
$$Writes the place of a subscription and its reader. Returns the end of the reader's lease. The caller holds the lock of the subscription.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/note_missed_events.sql
create or replace function tasker.note_missed_events(p_suffix text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  s        tasker.subscriptions;
  v_missed boolean;
begin
  for s in select o.* from tasker.subscriptions as o order by o.subscription loop
    execute format(
      'select exists (
         select
           from tasker.%1$I as l
          where l.created_at >= $3
            and (l.xact >= $1 or l.xact = any ($2))
       ) or exists (
         select
           from tasker.%2$I as l
          where l.created_at >= $3
            and (l.xact >= $1 or l.xact = any ($2))
       )',
      'step_log_' || p_suffix, 'task_log_' || p_suffix
    )
    into v_missed
    using
      pg_snapshot_xmax(s.snapshot)::text::bigint,
      array(select x.xid::text::bigint from pg_snapshot_xip(s.snapshot) as x (xid)),
      coalesce(greatest(s.place_at, s.since), '-infinity');
    if v_missed then
      insert into tasker.missed_events (subscription, suffix, dropped_at)
      values (s.subscription, p_suffix, tasker.write_clock());
    end if;
  end loop;
end;
$$;

comment on function tasker.note_missed_events is
$$Records the subscriptions that have not delivered all events of a range that is about to be dropped. For a subscription that has delivered all of them, the check is a query of the logs' BRIN indexes. Does not wait for readers.$$;
-- <<<

-- >>> db/schema/functions/features/feed/subscribe.sql
create or replace function tasker.subscribe(
  p_subscription  text,
  p_filter        jsonb        default '{}',
  p_target        jsonb        default null,
  p_since         timestamptz  default null,
  p_actor         text         default null,
  p_reason        text         default null
)
  returns setof tasker.subscription_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now      timestamptz := tasker.clock();
  v_filter   jsonb       := coalesce(p_filter, '{}');
  v_before   tasker.subscriptions;
  s          tasker.subscriptions;
begin
  perform tasker.check_isolation();
  perform tasker.administer(p_actor, p_reason);
  if p_subscription ~ '^[a-z][a-z0-9_-]{0,47}$' is not true then
    raise exception using
      errcode = 'TK422',
      message = format('a subscription cannot be named %s', coalesce('"' || left(p_subscription, 100) || '"', 'null')),
      hint    = 'Names are 1 to 48 lower case letters, digits, underscores and hyphens, and begin with a letter.';
  end if;
  perform tasker.check_filter(v_filter);
  s.target := tasker.checked_target(p_target);
  perform tasker.check_instant('time of a replay', p_since);

  s.namespaces := coalesce(tasker.filter_list(v_filter, 'namespaces'), tasker.bound_namespaces());
  perform tasker.check_subscription_namespaces(s.namespaces);
  perform tasker.check_namespace_exists(u.namespace)
     from unnest(s.namespaces) as u (namespace);
  s.templates := tasker.filter_list(v_filter, 'templates');
  s.kinds := coalesce(tasker.filter_list(v_filter, 'kinds'), '{step,task}');
  s.events := tasker.filter_list(v_filter, 'events');
  s.to_states := tasker.filter_list(v_filter, 'to_states');
  perform tasker.check_filter_names(s.kinds, s.events, s.to_states);

  -- One session subscribes at a time, so that the count of subscriptions cannot exceed its maximum.
  perform tasker.take_turn('subscriptions');
  select o.* into v_before from tasker.subscriptions as o where o.subscription = p_subscription;
  perform tasker.check_subscription_name(p_subscription, found, v_before.namespaces);
  if v_before.subscription is null and (select count(*) from tasker.subscriptions) >= tasker.setting_integer('max_subscriptions') then
    raise exception using
      errcode = 'TK429',
      message = format('there are %s subscriptions already', tasker.setting_integer('max_subscriptions')),
      hint    = 'Drop one with tasker.unsubscribe, or raise the setting max_subscriptions.';
  end if;

  s.snapshot := tasker.feed_snapshot();
  insert into tasker.subscriptions as u (
    subscription, namespaces, templates, kinds, events, to_states, target, snapshot, snapshot_at, placed_at,
    created_at, created_by, updated_at, updated_by
  )
  values (
    p_subscription, s.namespaces, s.templates, s.kinds, s.events, s.to_states, s.target, s.snapshot, tasker.write_clock(), v_now,
    v_now, tasker.actor_name(p_actor), v_now, tasker.actor_name(p_actor)
  )
  on conflict (subscription) do update
     set namespaces = excluded.namespaces,
         templates  = excluded.templates,
         kinds      = excluded.kinds,
         events     = excluded.events,
         to_states  = excluded.to_states,
         target     = excluded.target,
         list_no    = u.list_end,
         last_key   = null,
         failures   = 0,
         next_attempt_at = null,
         updated_at = excluded.updated_at,
         updated_by = excluded.updated_by
   where (u.namespaces, u.templates, u.kinds, u.events, u.to_states, u.target)
         is distinct from (excluded.namespaces, excluded.templates, excluded.kinds, excluded.events, excluded.to_states, excluded.target);
  -- Delete the lists of found events that the former filter let through.
  delete from tasker.feed_lists as l
   using tasker.subscriptions as u
   where u.subscription = p_subscription
     and l.subscription = u.subscription
     and l.list_no < u.list_no;

  if p_since is not null and v_before.subscription is null then
    return query select d.* from tasker.replay_events(p_subscription, p_since, p_actor, p_reason) as d;
    return;
  end if;
  return query
  select d.*
    from tasker.subscriptions as u
   cross join lateral tasker.describe_subscription(u) as d
   where u.subscription = p_subscription;
end;
$$;

comment on function tasker.subscribe is
$$Creates a subscription to the feed, and returns it. The subscription gets every transition of tasks and steps that happens from now on and passes the filter. The events of transactions that are open now are delivered, too. With p_since a new subscription also gets the events since that time, from the logs.

p_filter has up to five lists: namespaces, templates (names of task templates), kinds (task, step), events (such as Create) and to_states (the states that transitions lead to, such as complete). A list that is null or missing allows all values. A transition must pass each list. To get the ends of tasks, filter by state, because several events lead to such a state: {"kinds": ["task"], "to_states": ["complete", "error", "cancelled", "resolved_manually"]}. If a bound caller gives no namespaces, the filter has the caller's present namespaces. A bound caller begins the name of a subscription with one of its namespaces, such as shop_billing. p_target is null if a program reads with read_events. Otherwise p_target says where tasker relay delivers the events: {"pgmq": {"queue": …}}, {"webhook": {"url": …}} or {"rabbitmq": {"queue": …}}. Requests to a webhook with "own_secret": true, and to each webhook of a bound caller, are signed only with a secret of this subscription. The name of a RabbitMQ queue of a bound caller begins with events-<namespace>-. If the subscription exists, it gets the new filter and target and keeps its place.

Idempotent. Locks the row "subscriptions" of tasker.turns, then the subscription. Raises TK404 for an unknown namespace, TK409 above READ COMMITTED or if another call does not end in time, TK413 or TK422 for a malformed argument, or for an event or a state that no transition has, TK429 if there are already as many subscriptions as the setting max_subscriptions allows, TK403 for a namespace that the caller is not bound to.$$;

grant execute on function tasker.subscribe to tasker_operator;
-- <<<

-- >>> db/schema/functions/features/feed/unsubscribe.sql
create or replace function tasker.unsubscribe(
  p_subscription  text,
  p_actor         text  default null,
  p_reason        text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_namespaces text[];
begin
  perform tasker.administer(p_actor, p_reason);
  select s.namespaces into v_namespaces from tasker.subscriptions as s where s.subscription = p_subscription;
  perform tasker.check_subscription_name(p_subscription, found, v_namespaces);
  delete from tasker.subscriptions as s
   where s.subscription = p_subscription;
  return found;
end;
$$;

comment on function tasker.unsubscribe is
$$Ends a subscription and deletes its place and its dead events. Returns true if the subscription existed.

Idempotent. Locks the subscription. Raises TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.unsubscribe to tasker_operator;
-- <<<

-- >>> db/schema/functions/features/feed/list_subscriptions.sql
create or replace function tasker.list_subscriptions(p_subscription text default null)
  returns setof tasker.subscription_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  return query
  select d.*
    from tasker.subscriptions as s
   cross join lateral tasker.describe_subscription(s) as d
   where (p_subscription is null or s.subscription = p_subscription)
     and (v_bound is null or s.namespaces <@ v_bound)
   order by s.subscription;
  if not found and p_subscription is not null then
    perform tasker.raise_subscription_not_found(p_subscription);
  end if;
end;
$$;

comment on function tasker.list_subscriptions is
$$Returns the subscriptions to the feed, or the subscription of this name: its filter, its target, its place in the feed and the process that reads it. A bound caller sees a subscription only if the caller is bound to all its namespaces. A role that is only a reader sees only the host of a webhook's URL. Raises TK404 if the named subscription does not exist.$$;

grant execute on function tasker.list_subscriptions to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/features/feed/replay_events.sql
create or replace function tasker.replay_events(
  p_subscription  text,
  p_since         timestamptz,
  p_actor         text         default null,
  p_reason        text         default null
)
  returns setof tasker.subscription_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  s tasker.subscriptions;
begin
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_instant('time of a replay', p_since);
  if (p_since <= tasker.clock()) is not true then
    raise exception using
      errcode = 'TK422',
      message = format('events cannot be replayed from %s on', coalesce(p_since::text, 'null')),
      hint    = 'Name a time that has passed.';
  end if;
  s := tasker.lock_subscription(p_subscription);
  delete from tasker.feed_lists as l
   where l.subscription = s.subscription;
  update tasker.subscriptions as u
     set snapshot        = '3:3:',
         snapshot_at     = p_since,
         since           = p_since,
         until           = null,
         until_at        = null,
         window_no       = u.window_no + 1,
         place_at        = null,
         place_task_uuid = null,
         place_step_no   = null,
         place_sort_key  = null,
         list_no         = u.list_end,
         last_key        = null,
         failures        = 0,
         next_attempt_at = null,
         placed_at       = tasker.clock(),
         updated_at      = tasker.clock(),
         updated_by      = tasker.actor_name(p_actor)
   where u.subscription = s.subscription
  returning u.* into s;
  return query select d.* from tasker.describe_subscription(s) as d;
end;
$$;

comment on function tasker.replay_events is
$$Sets a subscription back to a time. The subscription gets all events since that time once more, with the same UUIDs, and then the new events. Events that retention has dropped stay missing. Returns the subscription.

A reader can no longer acknowledge a batch that it read before the replay. Locks the subscription. Raises TK404 if there is no such subscription, TK422 unless the time is in the past, TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.replay_events to tasker_operator;
-- <<<

-- >>> db/schema/functions/features/feed/read_events.sql
create or replace function tasker.read_events(
  p_subscription   text,
  p_reader_uuid    uuid,
  p_limit          integer  default 100,
  p_lease_seconds  integer  default 30
)
  returns setof tasker.feed_events
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  s        tasker.subscriptions;
  v_before tasker.subscriptions;
  v_from   timestamptz;
  v_to     timestamptz;
  v_place  tasker.feed_keys;
  v_finds  tasker.feed_finds[];
  v_tasks  uuid[];
  v_first  uuid;
  v_last   uuid;
  v_fresh  boolean  := false;
  -- The most events that one query finds, which are the events of many batches.
  v_listed integer;
begin
  p_limit         := coalesce(p_limit, 100);
  p_lease_seconds := coalesce(p_lease_seconds, 30);
  perform tasker.check_isolation();
  perform tasker.check_limit(p_limit, 1000);
  if p_lease_seconds between 1 and 3600 is not true then
    perform tasker.raise_bad_lease(p_lease_seconds);
  end if;
  v_listed := least(100 * p_limit, 10000);
  s := tasker.take_subscription(p_subscription, p_reader_uuid);
  v_before := s;
  if tasker.subscription_is_behind(s) then
    perform tasker.raise_missed_events(s);
  end if;

  loop
    if s.until is null then
      s.until := tasker.feed_snapshot();
      s.until_at := tasker.write_clock();
      s.window_no := s.window_no + 1;
      v_fresh := true;
    end if;
    v_finds := '{}';
    v_to := 'infinity';
    if s.list_no < s.list_end then
      s.list_no := tasker.forget_feed_lists(s);
      v_finds := tasker.next_feed_events(s, p_limit);
    end if;
    v_place := row(s.place_at, s.place_task_uuid, s.place_step_no, s.place_sort_key);
    if v_finds = '{}' and s.last_key is distinct from v_place then
      v_from := coalesce(greatest(s.place_at, s.since), '-infinity');
      v_to := tasker.feed_slice_end(s, v_from);
      v_finds := tasker.find_feed_events(s, v_from, v_to, v_listed);
      s := tasker.note_feed_finds(s, v_finds, v_to, p_limit, v_listed);
      if cardinality(v_finds) > p_limit then
        v_finds := v_finds[1:p_limit];
      end if;
    end if;
    if v_finds <> '{}' then
      v_tasks := array(select distinct f.task_uuid from unnest(v_finds) as f order by 1);
      v_first := v_tasks[1];
      v_last := v_tasks[cardinality(v_tasks)];
      v_finds := tasker.complete_feed_events(v_finds, v_first, v_last);
      return query
      select e.* from tasker.describe_feed_events(s.window_no, v_finds, v_first, v_last) as e;
      exit when found;
    end if;

    if v_finds <> '{}' then
      -- The partitions of these events were dropped since the query found them. The next read reports this.
      s := tasker.place_after(s, v_finds[cardinality(v_finds)]);
      continue;
    end if;
    s := tasker.end_feed_slice(s, v_to);
    exit when (s.until is null and v_fresh) or clock_timestamp() > statement_timestamp() + interval '2 seconds';
  end loop;

  -- A read that finds no event writes the subscription only every few seconds.
  if v_finds <> '{}'
     or s.until is not null
     or v_before.until is not null
     or v_before.reader_uuid is distinct from p_reader_uuid
     or v_before.snapshot_at < s.snapshot_at - interval '5 seconds'
     or v_before.leased_until < tasker.clock() + p_lease_seconds * interval '0.5 seconds' then
    s.leased_until := tasker.write_subscription(s, p_reader_uuid, p_lease_seconds);
  end if;
end;
$$;

comment on function tasker.read_events is
$$Returns the next events of a subscription, the oldest first: at most p_limit events that were not acknowledged yet. These events are returned again until acknowledge_events acknowledges them, so each event is delivered at least once. Events of one step, and events of a task itself, come in the order of their sort_key. Events of different tasks come roughly in the order of time. No event is skipped, even if transactions do not commit in the order in which they began.

One process reads a subscription at a time: the process with p_reader_uuid, until p_lease_seconds after its last read. The later events of a window wait until the returned events are acknowledged. Locks the subscription. Raises TK404 if there is no such subscription, TK409 while another process reads the subscription or above READ COMMITTED, TK410 if events were dropped that the subscription has not delivered, TK422 for an argument out of range, TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.read_events to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/feed/acknowledge_events.sql
create or replace function tasker.acknowledge_events(p_subscription text, p_reader_uuid uuid, p_place text, p_events integer default 0)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  s       tasker.subscriptions;
  v_parts text[];
  v_at    timestamptz;
begin
  perform tasker.check_text_size('place', p_place, 200);
  v_parts := string_to_array(p_place, ' ');
  -- A single regular expression that also counts the characters would take as long as the rest of the call.
  if (
       p_place ~ '^[0-9]+ 000[0-9a-f]+ [0-9a-f-]+ [0-9]+ [0-9]+$'
       and length(v_parts[1]) <= 18
       and length(v_parts[2]) = 16
       and v_parts[3] like '________-____-____-____-____________'
       and v_parts[3] not like '%-%-%-%-%-%'
       and length(v_parts[4]) <= 9
       and length(v_parts[5]) <= 9
     ) is not true
     or p_events between 0 and 100000 is not true then
    raise exception using
      errcode = 'TK422',
      message = 'events cannot be acknowledged with these arguments',
      detail  = format('place %s, %s events', coalesce('"' || left(p_place, 100) || '"', 'null'), coalesce(p_events::text, 'null')),
      hint    = 'Pass the place of an event that tasker.read_events returned, and how many events were delivered up to it.';
  end if;
  s := tasker.take_subscription(p_subscription, p_reader_uuid);
  -- The time has the form that timestamptz_send writes: microseconds since the year 2000.
  v_at := timestamptz '2000-01-01 00:00:00Z' + ('x' || v_parts[2])::bit(64)::bigint * interval '1 microsecond';
  -- The caller is not the reader, the window has ended, a replay has abandoned the window, or the place was acknowledged
  -- before.
  if s.reader_uuid is distinct from p_reader_uuid
     or s.until is null
     or s.window_no <> v_parts[1]::bigint
     or s.place_at > v_at
     or (s.place_at, s.place_task_uuid, s.place_step_no, s.place_sort_key)
        >= (v_at, v_parts[3]::uuid, v_parts[4]::integer, v_parts[5]::integer) then
    return false;
  end if;
  update tasker.subscriptions as u
     set place_at        = v_at,
         place_task_uuid = v_parts[3]::uuid,
         place_step_no   = v_parts[4]::integer,
         place_sort_key  = v_parts[5]::integer,
         delivered       = u.delivered + p_events,
         failures        = 0,
         next_attempt_at = null
   where u.subscription = s.subscription;
  return true;
end;
$$;

comment on function tasker.acknowledge_events is
$$Records that the reader has handled the events that read_events returned, up to the event at p_place. These events are not returned again. p_events is the number of these events, and is only added to a count. Returns false, and changes nothing, if the events were acknowledged before or the subscription was replayed since.

Idempotent. Locks the subscription. Raises TK404 if there is no such subscription, TK409 while another process reads the subscription, TK413 or TK422 for a text that is not a place, TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.acknowledge_events to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/feed/leave_subscription.sql
create or replace function tasker.leave_subscription(p_subscription text, p_reader_uuid uuid)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.lock_subscription(p_subscription);
  update tasker.subscriptions as s
     set reader_uuid  = null,
         reader       = null,
         leased_until = null
   where s.subscription = p_subscription
     and s.reader_uuid = p_reader_uuid;
  return found;
end;
$$;

comment on function tasker.leave_subscription is
$$Ends a reader's lease of a subscription, so that another process may read the subscription at once. Returns false if the reader had no lease.

Idempotent. Locks the subscription. Raises TK404 if there is no such subscription, TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.leave_subscription to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/feed/fail_delivery.sql
create or replace function tasker.fail_delivery(
  p_subscription   text,
  p_reader_uuid    uuid,
  p_error          text,
  p_retry_seconds  double precision
)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_failures integer;
begin
  perform tasker.check_text_size('error', p_error, 10000);
  if p_error is null or p_retry_seconds between 0 and 86400 is not true then
    raise exception using
      errcode = 'TK422',
      message = 'a failed delivery cannot be noted with these arguments',
      detail  = format('retry after %s seconds, error %s', coalesce(p_retry_seconds::text, 'null'), coalesce(left(p_error, 100), 'null')),
      hint    = 'Pass the error, and 0 to 86400 seconds.';
  end if;
  perform tasker.take_subscription(p_subscription, p_reader_uuid);
  update tasker.subscriptions as s
     set failures        = s.failures + 1,
         last_error      = p_error,
         last_error_at   = tasker.clock(),
         next_attempt_at = tasker.clock() + p_retry_seconds * interval '1 second'
   where s.subscription = p_subscription
     and s.reader_uuid = p_reader_uuid
  returning s.failures into v_failures;
  return coalesce(v_failures, 0);
end;
$$;

comment on function tasker.fail_delivery is
$$Records that the next event of a subscription could not be delivered, and when the reader tries again. Returns the number of failed deliveries since events were last acknowledged, or 0 if the caller is not the subscription's reader. The subscription keeps its place.

Locks the subscription. Raises TK404 if there is no such subscription, TK409 while another process reads the subscription, TK413 or TK422 for a wrong argument, TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.fail_delivery to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/feed/bury_event.sql
create or replace function tasker.bury_event(
  p_subscription  text,
  p_reader_uuid   uuid,
  p_place         text,
  p_event_uuid    uuid,
  p_event         jsonb,
  p_error         text
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  s tasker.subscriptions;
begin
  perform tasker.check_text_size('error', p_error, 10000);
  perform tasker.check_text_size('event', p_event::text, 100000);
  perform tasker.check_depth('event', p_event);
  if p_event_uuid is null or p_event is null or p_error is null then
    raise exception using
      errcode = 'TK422',
      message = 'an event is given up with its UUID, its body and the error',
      detail  = format('event %s, error %s', p_event_uuid, coalesce(left(p_error, 100), 'null')),
      hint    = 'Pass all three.';
  end if;
  s := tasker.take_subscription(p_subscription, p_reader_uuid);
  if not tasker.acknowledge_events(p_subscription, p_reader_uuid, p_place, 0) then
    return false;
  end if;
  insert into tasker.dead_events as d (subscription, event_uuid, event, failures, error, died_at)
  values (p_subscription, p_event_uuid, p_event, s.failures, p_error, tasker.write_clock())
  on conflict (subscription, event_uuid) do update
     set failures = excluded.failures,
         error    = excluded.error,
         died_at  = excluded.died_at;
  delete from tasker.dead_events as d
   where d.subscription = p_subscription
     and d.event_uuid in (
       select o.event_uuid
         from tasker.dead_events as o
        where o.subscription = p_subscription
        order by o.died_at desc
       offset tasker.setting_integer('dead_events')
     );
  update tasker.subscriptions as u
     set dead          = u.dead + 1,
         last_error    = p_error,
         last_error_at = tasker.clock()
   where u.subscription = p_subscription;
  return true;
end;
$$;

comment on function tasker.bury_event is
$$Gives up the event at a place: keeps the event among the dead events, with the error, and acknowledges the events up to this event, so that the delivery of later events continues. Returns false if the event was acknowledged before. Later events of the same step or task are delivered without this event.

Locks the subscription. Raises TK404 if there is no such subscription, TK409 while another process reads the subscription, TK413 or TK422 for a wrong argument, TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.bury_event to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/feed/list_dead_events.sql
create or replace function tasker.list_dead_events(p_subscription text, p_limit integer default 100)
  returns setof tasker.dead_events
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  s tasker.subscriptions;
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_limit(p_limit, 10000);
  select o.* into s from tasker.subscriptions as o where o.subscription = p_subscription;
  perform tasker.check_subscription_name(p_subscription, found, s.namespaces);
  if s.subscription is null then
    perform tasker.raise_subscription_not_found(p_subscription);
  end if;
  return query
  select d.*
    from tasker.dead_events as d
   where d.subscription = p_subscription
   order by d.died_at desc, d.event_uuid
   limit p_limit;
end;
$$;

comment on function tasker.list_dead_events is
$$Returns the events of a subscription that were given up, the newest first, each with its last error. Raises TK404 if there is no such subscription, TK422 for a limit out of range, TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.list_dead_events to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001209', 'data/feed_settings 9928e88e3053604c
functions/features/feed/acknowledge_events d7c51a8518fefd42
functions/features/feed/bury_event 0414e428c7a3aa34
functions/features/feed/fail_delivery 679f7c2d10aa58a3
functions/features/feed/leave_subscription c78639886eaeeb38
functions/features/feed/list_dead_events a0521926582e892a
functions/features/feed/list_subscriptions 7862be4ccfd9a44e
functions/features/feed/private/check_filter 02cd00623ac705b2
functions/features/feed/private/check_filter_names 86fe069c9c830454
functions/features/feed/private/check_subscription_name ae2a17a7d6583a64
functions/features/feed/private/check_subscription_namespaces a5d4e8283cd38cf4
functions/features/feed/private/checked_target 51d1b8fa35774ffb
functions/features/feed/private/complete_feed_events 197cbfc74b43ea5c
functions/features/feed/private/describe_feed_events 6567de412b1f3f23
functions/features/feed/private/describe_subscription 4a1ac202a1743128
functions/features/feed/private/end_feed_slice 6533e56bb031de11
functions/features/feed/private/feed_slice_end d0a668aa2d01e439
functions/features/feed/private/feed_snapshot 89c6bac12b34a77c
functions/features/feed/private/filter_list 32e08ebb99caf378
functions/features/feed/private/find_feed_events efec282ee3a331fd
functions/features/feed/private/forget_feed_lists 3563708375fe2518
functions/features/feed/private/list_feed_events 283248fe456c0125
functions/features/feed/private/lock_subscription a8e3f522086da4e6
functions/features/feed/private/next_feed_events 44c72a4e7d6d4026
functions/features/feed/private/note_feed_finds 5f76fd2bf388a068
functions/features/feed/private/note_missed_events 453e5db352ffe109
functions/features/feed/private/place_after aa1d5aa735493250
functions/features/feed/private/raise_bad_lease 7141dc2124c4700b
functions/features/feed/private/raise_missed_events 3526f5eceb011668
functions/features/feed/private/raise_subscription_not_found c8c22bc794ba52dd
functions/features/feed/private/shown_target 4023cae35987cece
functions/features/feed/private/subscription_is_behind a9f24aafd5d521cf
functions/features/feed/private/take_subscription b0e987f9e2bc8d6b
functions/features/feed/private/write_subscription 01335765eae2100d
functions/features/feed/read_events a71c5132e4bd5102
functions/features/feed/replay_events b8c06de966718033
functions/features/feed/subscribe 4f375c75fee55b9b
functions/features/feed/unsubscribe 594997b880a0b181
rows/features/feed/feed_events ab2b893ba6e528d8
rows/features/feed/feed_finds 70a47e2d5a620e6b
rows/features/feed/feed_keys f4ec45f1cd960324
rows/features/feed/subscription_details 3bf240906f2a1c9c
tables/features/feed/dead_events 984d587fd24b301b
tables/features/feed/feed_lists a50c5f32b6bc04e5
tables/features/feed/missed_events bc62993c1a88331c
tables/features/feed/subscriptions dc10bf721f6283b0
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001209';

drop function tasker.list_dead_events;
drop function tasker.bury_event;
drop function tasker.fail_delivery;
drop function tasker.leave_subscription;
drop function tasker.acknowledge_events;
drop function tasker.read_events;
drop function tasker.replay_events;
drop function tasker.list_subscriptions;
drop function tasker.unsubscribe;
drop function tasker.subscribe;
drop function tasker.note_missed_events;
drop function tasker.write_subscription;
drop function tasker.describe_feed_events;
drop function tasker.complete_feed_events;
drop function tasker.end_feed_slice;
drop function tasker.place_after;
drop function tasker.note_feed_finds;
drop function tasker.feed_slice_end;
drop function tasker.next_feed_events;
drop function tasker.forget_feed_lists;
drop function tasker.list_feed_events;
drop function tasker.find_feed_events;
drop function tasker.check_filter_names;
drop function tasker.checked_target;
drop function tasker.filter_list;
drop function tasker.check_filter;
drop function tasker.describe_subscription;
drop function tasker.shown_target;
drop function tasker.raise_bad_lease;
drop function tasker.raise_missed_events;
drop function tasker.subscription_is_behind;
drop function tasker.take_subscription;
drop function tasker.lock_subscription;
drop function tasker.check_subscription_name;
drop function tasker.check_subscription_namespaces;
drop function tasker.raise_subscription_not_found;
drop function tasker.feed_snapshot;
drop view tasker.subscription_details;
drop view tasker.feed_events;
drop table tasker.dead_events;
drop table tasker.missed_events;
drop table tasker.feed_lists;
drop table tasker.subscriptions;
drop view tasker.feed_finds;
drop view tasker.feed_keys;
delete from tasker.settings as s where s.name in ('max_subscriptions', 'dead_events');

reset role;
