-- creation: tasks made of templates, once each, and looked at
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/rows/kernel/create/task_creations.sql
create or replace view tasker.task_creations as
select
  0::integer as position,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  false::boolean as created
where false;

comment on view tasker.task_creations is
  'Row type: the answer to one request for a task.';
comment on column tasker.task_creations.position is
  'The position of its context in the call, from 1.';
comment on column tasker.task_creations.created is
  'False if an earlier request created the task, whose UUID is returned.';
-- <<<

-- >>> db/schema/rows/kernel/create/task_requests.sql
create or replace view tasker.task_requests as
select
  null::text as namespace,
  null::text as name,
  null::jsonb[] as contexts,
  null::text as version,
  null::text[] as identity_keys,
  null::uuid[] as task_uuids,
  null::integer as priority,
  null::text[] as tags,
  null::text as initiator,
  null::text as source_system,
  null::text as reason,
  null::uuid as correlation_id,
  null::uuid as parent_correlation_id,
  null::jsonb as headers,
  null::timestamptz as start_at,
  null::boolean as deferred,
  null::timestamptz as deadline,
  null::interval as identity_ttl,
  null::text as identity_scope,
  null::integer as debounce_seconds,
  null::integer as debounce_longest_seconds,
  null::integer as throttle_limit,
  null::integer as throttle_seconds,
  null::text as throttle_key,
  null::uuid as worker_uuid,
  null::text[] as handlers,
  null::integer as claim_limit,
  null::integer as lease_seconds,
  null::text as tick,
  null::text[] as creator_namespaces,
  null::bytea as debounce_hash,
  null::timestamptz as debounced_since,
  null::boolean as throttle_waits
where false;

comment on view tasker.task_requests is
  'Row type: a request for tasks of one template, with the arguments of tasker.create_tasks and tasker.start_task.';
comment on column tasker.task_requests.contexts is
  'One context for each task. If identity_keys and task_uuids are given, they have as many elements.';
comment on column tasker.task_requests.worker_uuid is
  'The worker that gets the first steps at once: at most claim_limit of the steps whose handlers it has. Null for none.';
comment on column tasker.task_requests.tick is
  'The identity of the one task, whatever the template''s strategy: a schedule and a time, or a debounced request.';
comment on column tasker.task_requests.creator_namespaces is
  'The namespaces in which a task with a tick may start tasks, whatever namespaces the session is bound to.';
comment on column tasker.task_requests.debounce_hash is
  'The debounced key, and since when its requests wait. The function tasker.debounce_request leaves this for tasker.note_debounced.';
comment on column tasker.task_requests.throttle_waits is
  'Whether tasks above the throttle start later instead of being refused.';
-- <<<

-- >>> db/schema/rows/kernel/template/creation_templates.sql
create or replace view tasker.creation_templates as
select
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  ''::text as version,
  ''::text as identity_strategy,
  'pending'::tasker.task_state as state,
  false::boolean as complete,
  false::boolean as has_maps,
  0::integer as total_steps,
  0::integer as active_steps,
  0::integer as suspended_steps,
  0::integer as transition_count,
  0::smallint as root_effects,
  0::smallint as path,
  null::jsonb as ready,
  null::jsonb as undo,
  ''::text as transport,
  ''::text as notify,
  false::boolean as paused,
  0::integer as context_bytes,
  null::timestamptz as range_ends_at,
  false::boolean as any_bound,
  null::timestamptz as retired_at,
  null::jsonb as input_schema,
  null::jsonb as runs
where false;

comment on view tasker.creation_templates is
  'Row type: the facts about a template, its namespace and the settings that the creation of a task needs. One query reads them from tasker.creation_plans and tasker.settings_now.';
comment on column tasker.creation_templates.range_ends_at is
  'The end of the time that ranges cover without a gap from now on, or else the end of the newest range that has begun. UUIDs of new tasks lie before this time. Null if no range has begun.';
-- <<<

-- >>> db/schema/functions/kernel/template/private/find_template.sql
create or replace function tasker.find_template(p_namespace text, p_name text, p_version text)
  returns tasker.creation_templates
  language plpgsql
  stable
as $$
declare
  v_template tasker.creation_templates;
begin
  -- Find the requested version, retired or not, or the newest version that is not retired.
  select
    k.named_task_uuid, k.version, k.identity_strategy, k.state, k.complete, k.has_maps, k.total_steps, k.active_steps,
    k.suspended_steps, k.transition_count, k.root_effects, k.path, k.ready, k.undo, k.transport, coalesce(k.notify, c.notify),
    k.paused, c.context_bytes,
    case
      when tasker.clock() >= c.covered_from and tasker.clock() < c.covered_until then c.covered_until
      else (select r.ends_at from tasker.partition_ranges as r where r.starts_at <= tasker.clock() order by r.starts_at desc limit 1)
    end,
    c.any_bound, k.retired_at, k.input_schema, k.runs
    into v_template
    from tasker.creation_plans as k
   cross join tasker.settings_now as c
   where k.namespace = p_namespace
     and k.name = p_name
     and k.version = coalesce(p_version, k.version)
   order by k.retired_at is not null, k.created_at desc, k.named_task_uuid desc
   limit 1;
  if v_template.named_task_uuid is null then
    perform tasker.raise_template_not_found(p_namespace, p_name, p_version);
  end if;
  if v_template.retired_at is not null then
    raise exception using
      errcode = 'TK410',
      message = format('template "%s/%s" version %s is retired', p_namespace, p_name, v_template.version),
      detail  = format('Since %s.', to_char(v_template.retired_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')),
      hint    = 'Name another version, or register a new one.';
  end if;
  return v_template;
end;
$$;

comment on function tasker.find_template is
$$Returns the template from which a task is created, with all values that a creation needs: the named version, or the newest version that is not retired. Raises TK404 if there is no such template, TK410 if the version is retired.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/check_task_requests.sql
create or replace function tasker.check_task_requests(
  p_template    tasker.creation_templates,
  p_task        text,
  p_contexts    jsonb[],
  p_keys        text[],
  p_task_uuids  uuid[]
)
  returns void
  language plpgsql
  stable
as $$
declare
  v_keyed   boolean := p_template.identity_strategy in ('caller_provided', 'tick');
  v_no      integer := 0;
  v_context jsonb;
  v_key     text;
begin
  if p_contexts is null or greatest(array_ndims(p_contexts), array_ndims(p_keys), array_ndims(p_task_uuids)) > 1
     or cardinality(p_keys) <> cardinality(p_contexts)
     or cardinality(p_task_uuids) <> cardinality(p_contexts) then
    raise exception using
      errcode = 'TK422',
      message = format('contexts, keys and UUIDs for tasks of template "%s" do not match', p_task),
      detail  = format(
        '%s contexts, %s identity keys, %s task UUIDs',
        coalesce(cardinality(p_contexts)::text, 'null'), coalesce(cardinality(p_keys)::text, 'no'),
        coalesce(cardinality(p_task_uuids)::text, 'no')
      ),
      hint    = 'Pass an array of contexts; if you pass keys or UUIDs, one for each context.';
  end if;

  foreach v_context in array p_contexts loop
    v_no := v_no + 1;
    continue when jsonb_typeof(v_context) = 'object'
      and octet_length(v_context::text) <= p_template.context_bytes
      and not tasker.is_too_deep(v_context)
      and v_keyed = (p_keys[v_no] is not null)
      and coalesce(length(p_keys[v_no]) between 1 and 1000, true);

    v_key := p_keys[v_no];
    if jsonb_typeof(v_context) is distinct from 'object' then
      raise exception using
        errcode = 'TK422',
        message = format('context of task "%s" is not a JSON object', p_task),
        detail  = format('Context number %s is of type %s.', v_no, coalesce(jsonb_typeof(v_context), 'SQL null')),
        hint    = 'Put the value into an object under a name.';
    elsif octet_length(v_context::text) > p_template.context_bytes then
      raise exception using
        errcode = 'TK413',
        message = format('context of task "%s" is too large', p_task),
        detail  = format(
          'Context number %s has %s bytes, the limit is %s.', v_no, octet_length(v_context::text), p_template.context_bytes
        ),
        hint    = 'Store large data elsewhere and pass a reference, or raise the setting "context_bytes".';
    else
      perform tasker.check_depth(format('context of task "%s"', p_task), v_context);
      raise exception using
        errcode = 'TK422',
        message = case
          when v_key is null then format('task "%s" needs an identity key', p_task)
          when v_keyed then format('the identity key of task "%s" is empty or longer than 1,000 characters', p_task)
          else format('task "%s" does not use identity keys', p_task)
        end,
        detail  = format('Request number %s; the template''s identity strategy is %s.', v_no, p_template.identity_strategy),
        hint    = case
          when v_keyed then 'Pass p_identity_key, which is equal for equal requests, such as an order''s number.'
          else 'Omit it, or register the template with identity_strategy "caller_provided".'
        end;
    end if;
  end loop;
  if p_template.input_schema is not null then
    perform tasker.admit_contexts(p_template.input_schema, p_task, p_contexts);
  end if;
end;
$$;

comment on function tasker.check_task_requests is
$$Raises TK422 if the requests are malformed, are nested deeper than 1,000 levels or do not fit the template's identity strategy or the schema of its input, TK413 if a context is too large. The error names the first wrong request.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/task_identity.sql
create or replace function tasker.task_identity(
  p_strategy   text,
  p_namespace  text,
  p_name       text,
  p_version    text,
  p_context    jsonb,
  p_key        text
)
  returns bytea
  language sql
  immutable
  parallel safe
begin atomic
  -- Hash a JSON array, so that different lists of parts differ. The text of jsonb is canonical.
  select sha256(convert_to(
    case p_strategy
      when 'strict' then jsonb_build_array('strict', p_namespace, p_name, p_version, p_context)
      when 'caller_provided' then jsonb_build_array('key', p_namespace, p_name, p_key)
      when 'tick' then jsonb_build_array('tick', p_key)
    end::text,
    'UTF8'
  ));
end;

comment on function tasker.task_identity is
$$Returns the hash that equal requests share. With the strategy "strict" it is computed from the template's version and the context, with "caller_provided" from the template's name and the caller's key, with "tick" from the schedule and the tick in p_key. It is null with "always_unique".$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/claim_identities.sql
create or replace function tasker.claim_identities(p_hashes bytea[], p_task_uuids uuid[], p_expires_at timestamptz, p_while_open boolean)
  returns uuid[]
  language plpgsql
as $$
declare
  v_hashes  bytea[];
  v_stale   uuid[];
  v_resets  integer[];
  v_owners  uuid[];
  v_new     integer;
begin
  loop
    -- Insert in the order of the hashes, so that two batches cannot deadlock. If another transaction inserts the same
    -- identity, the call waits until that transaction commits or rolls back.
    insert into tasker.task_identities (identity_hash, task_uuid, expires_at, while_open)
    select distinct on (u.identity_hash)
      u.identity_hash,
      u.task_uuid,
      p_expires_at,
      p_while_open
    from unnest(p_hashes, p_task_uuids) with ordinality as u (identity_hash, task_uuid, ord)
    order by u.identity_hash, u.ord
    on conflict (identity_hash) do nothing;
    get diagnostics v_new = row_count;
    if v_new = cardinality(p_hashes) then
      return p_task_uuids;
    end if;

    -- Find identities that have expired, whose task no longer exists or, if requested, whose task has ended. This is a
    -- separate statement, because the statement above does not see the rows that it waited for. The candidates of this
    -- call have no task yet.
    select array_agg(i.identity_hash order by i.identity_hash),
           array_agg(i.task_uuid order by i.identity_hash),
           array_agg(i.resets order by i.identity_hash)
      into v_hashes, v_stale, v_resets
      from (select distinct u.identity_hash from unnest(p_hashes) as u (identity_hash)) as d
      join tasker.task_identities as i
        on i.identity_hash = d.identity_hash
     where i.task_uuid <> all (p_task_uuids)
       and (
         i.expires_at <= tasker.clock()
         or not exists (select from tasker.tasks as t where t.task_uuid = i.task_uuid and not (p_while_open and t.complete))
       );

    -- Compare and swap, so that only one of two transactions takes over a stale identity, and no transaction takes over
    -- the identity of a task that is reset in the meantime.
    update tasker.task_identities as i
       set task_uuid  = p_task_uuids[array_position(p_hashes, i.identity_hash)],
           created_at = tasker.clock(),
           expires_at = p_expires_at,
           while_open = p_while_open
      from unnest(v_hashes, v_stale, v_resets) as s (identity_hash, task_uuid, resets)
     where i.identity_hash = s.identity_hash
       and i.task_uuid = s.task_uuid
       and i.resets = s.resets;

    select array_agg(i.task_uuid order by u.ord)
      into v_owners
      from unnest(p_hashes) with ordinality as u (identity_hash, ord)
      left join tasker.task_identities as i
        on i.identity_hash = u.identity_hash;
    if array_position(v_owners, null) is null then
      return v_owners;
    end if;
  end loop;
end;
$$;

comment on function tasker.claim_identities is
$$Returns the task of each identity. It is the caller's candidate if the identity was free or has expired, or if its task no longer exists or (with p_while_open) has ended. Otherwise it is the existing task. Among equal identities of one call the first candidate wins.

Locks the identities, in the order of their hashes.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/accept_task_uuids.sql
create or replace function tasker.accept_task_uuids(p_task_uuids uuid[], p_minted uuid[])
  returns uuid[]
  language plpgsql
as $$
begin
  -- A repeat may come long after the time in its UUID, so the UUID of an existing task is not checked again.
  return (
    select array_agg(
        case
          when u.task_uuid is null then p_minted[u.ord]
          when exists (select from tasker.tasks as t where t.task_uuid = u.task_uuid) then u.task_uuid
          else tasker.check_task_uuid(u.task_uuid)
        end
        order by u.ord
      )
      from unnest(p_task_uuids) with ordinality as u (task_uuid, ord)
  );
end;
$$;

comment on function tasker.accept_task_uuids is
$$Returns UUIDs for requested tasks: the UUID that the caller chose, or a new UUID if the caller chose none. Raises TK422 and TK507 as check_task_uuid does.$$;
-- <<<

-- >>> db/schema/functions/kernel/ident/private/check_task_uuids_free.sql
create or replace function tasker.check_task_uuids_free(p_task_uuids uuid[], p_named_task_uuid uuid, p_hashes bytea[])
  returns void
  language plpgsql
as $$
declare
  v_taken uuid;
begin
  -- A request with an existing UUID is a repeat if the task has the same template and no other identity.
  select u.task_uuid
    into v_taken
    from unnest(p_task_uuids, p_hashes) as u (task_uuid, identity_hash)
    join tasker.tasks as t
      on t.task_uuid = u.task_uuid
   where t.named_task_uuid <> p_named_task_uuid
      or t.identity_hash is distinct from u.identity_hash
   limit 1;

  if found then
    raise exception using
      errcode = 'TK409',
      message = format('task UUID %s is taken by another task', v_taken),
      hint    = 'Make a new UUID for each task, or omit it and the database makes one.';
  end if;
end;
$$;

comment on function tasker.check_task_uuids_free is
$$Raises TK409 if a task UUID that a caller has chosen belongs to a task of another template or identity.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/check_task_arguments.sql
create or replace function tasker.check_task_arguments(
  p_priority       integer,
  p_tags           text[],
  p_initiator      text,
  p_source_system  text,
  p_reason         text,
  p_headers        jsonb,
  p_start_at       timestamptz,
  p_deadline       timestamptz
)
  returns void
  language plpgsql
  stable
as $$
begin
  if p_priority not between -1000 and 1000 then
    raise exception using
      errcode = 'TK422',
      message = format('priority %s is not between -1000 and 1000', p_priority),
      hint    = 'Higher priorities go first; null means 0.';
  elsif array_ndims(p_tags) > 1 or cardinality(p_tags) > 100
     or exists (select from unnest(p_tags) as u (tag) where u.tag is null or length(u.tag) not between 1 and 200) then
    raise exception using
      errcode = 'TK422',
      message = 'the tags of a task are at most 100 texts of 1 to 200 characters',
      hint    = 'Tags are for filtering; keep longer texts in the context.';
  elsif greatest(length(p_initiator), length(p_source_system), length(p_reason)) > 1000 then
    raise exception using
      errcode = 'TK422',
      message = 'initiator, source system or reason is longer than 1,000 characters',
      hint    = 'Keep long texts in the context.';
  elsif jsonb_typeof(p_headers) <> 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'the headers of a task are not a JSON object',
      detail  = format('They are of type %s.', jsonb_typeof(p_headers)),
      hint    = 'Headers have names: {"traceparent": "…"}.';
  elsif octet_length(p_headers::text) > 16384 then
    raise exception using
      errcode = 'TK413',
      message = 'the headers of a task are larger than 16,384 bytes',
      hint    = 'Put large data into the context.';
  elsif tasker.is_too_deep(p_headers) then
    perform tasker.check_depth('text of the headers', p_headers);
  elsif p_deadline <= tasker.clock() or p_deadline <= p_start_at
     or p_deadline in ('infinity', '-infinity') or p_start_at in ('infinity', '-infinity') then
    raise exception using
      errcode = 'TK422',
      message = 'the deadline of a task is not after now and after its start',
      detail  = format('deadline %s, start %s', p_deadline, coalesce(p_start_at::text, 'now')),
      hint    = 'Both must be finite times, the deadline the later one.';
  end if;
end;
$$;

comment on function tasker.check_task_arguments is
$$Raises TK422 if an argument that the tasks of a call share is malformed, TK413 if the headers are too large.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/task_prototype.sql
create or replace function tasker.task_prototype(
  p_template               tasker.creation_templates,
  p_started                boolean,
  p_priority               integer,
  p_tags                   text[],
  p_initiator              text,
  p_source_system          text,
  p_reason                 text,
  p_correlation_id         uuid,
  p_parent_correlation_id  uuid,
  p_headers                jsonb,
  p_start_at               timestamptz,
  p_deadline               timestamptz
)
  returns tasker.tasks
  language plpgsql
  stable
as $$
declare
  v_now  timestamptz := tasker.clock();
  v_task tasker.tasks;
begin
  -- This is one expression, because each expression of a function is prepared again in every transaction.
  if (coalesce(p_priority, 0) between -1000 and 1000
      and coalesce(greatest(length(p_initiator), length(p_source_system), length(p_reason)) <= 1000, true)
      and p_tags is null and p_headers is null and p_start_at is null and p_deadline is null) is not true then
    perform tasker.check_task_arguments(
      p_priority, p_tags, p_initiator, p_source_system, p_reason, p_headers, p_start_at, p_deadline
    );
  end if;

  -- The columns of tasker.tasks, in their order.
  v_task := row(
    null, p_template.named_task_uuid, case when p_started then p_template.state else 'pending' end,
    p_started and p_template.complete, p_template.has_maps, coalesce(p_priority, 0), p_template.total_steps, p_template.total_steps,
    case when p_started then p_template.active_steps else 0 end, 0,
    case when p_started then p_template.suspended_steps else 0 end, 0,
    case when p_started then p_template.transition_count else 0 end,
    v_now, v_now, case when p_started then v_now end, case when p_started and p_template.complete then v_now end,
    p_deadline, null, p_correlation_id, p_parent_correlation_id, null, p_initiator,
    session_user, tasker.set_role(), p_source_system, p_reason, coalesce(p_tags, '{}'), coalesce(p_headers, '{}'), null,
    null, 0, p_template.undo,
    case when p_template.any_bound or tasker.is_scoped() then tasker.bound_namespaces() end,
    null
  )::tasker.tasks;
  return v_task;
end;
$$;

comment on function tasker.task_prototype is
$$Checks the arguments that the tasks of one call share and returns them as a row of tasker.tasks. Raises TK413 and TK422.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/task_identities.sql
create or replace function tasker.task_identities(
  p_template   tasker.creation_templates,
  p_namespace  text,
  p_name       text,
  p_contexts   jsonb[],
  p_keys       text[]
)
  returns bytea[]
  language plpgsql
  immutable
as $$
declare
  v_hashes bytea[] := array_fill(null::bytea, array[cardinality(p_contexts)]);
begin
  if p_template.identity_strategy <> 'always_unique' then
    for i in 1 .. cardinality(p_contexts) loop
      v_hashes[i] := tasker.task_identity(
        p_template.identity_strategy, p_namespace, p_name, p_template.version,
        case when p_template.input_schema is null then p_contexts[i] else tasker.identity_context(p_template.input_schema, p_contexts[i]) end,
        p_keys[i]
      );
    end loop;
  end if;
  return v_hashes;
end;
$$;

comment on function tasker.task_identities is
$$Returns the identity of each request for a task, in order. It is null if the template creates a new task for each request.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/insert_tasks.sql
create or replace function tasker.insert_tasks(
  p_task        tasker.tasks,
  p_task_uuids  uuid[],
  p_contexts    jsonb[],
  p_hashes      bytea[],
  p_given       boolean
)
  returns uuid[]
  language plpgsql
as $$
declare
  v_inserted uuid[] := '{}';
  v_uuid     uuid;
begin
  -- The statement is written twice, because a new UUID cannot exist yet, and "on conflict" adds a third to the cost of
  -- the insertion.
  if not p_given then
    insert into tasker.tasks (
      task_uuid, named_task_uuid, state, complete, has_added_edges, priority, total_steps, open_steps, active_steps,
      suspended_steps, transition_count,
      requested_at, updated_at, started_at, completed_at, deadline, correlation_id, parent_correlation_id,
      identity_hash, initiator, login, role, source_system, reason, tags, headers, context,
      parent_step_uuid, depth, undo, creator_namespaces
    )
    select
      u.task_uuid, p_task.named_task_uuid, p_task.state, p_task.complete, p_task.has_added_edges, p_task.priority, p_task.total_steps,
      p_task.open_steps, p_task.active_steps, p_task.suspended_steps, p_task.transition_count, p_task.requested_at, p_task.requested_at, p_task.started_at,
      p_task.completed_at, p_task.deadline, coalesce(p_task.correlation_id, u.task_uuid),
      p_task.parent_correlation_id, u.identity_hash, p_task.initiator, p_task.login, p_task.role,
      p_task.source_system, p_task.reason, p_task.tags, p_task.headers, u.context,
      p_task.parent_step_uuid, p_task.depth, p_task.undo, p_task.creator_namespaces
    from unnest(p_task_uuids, p_contexts, p_hashes) as u (task_uuid, context, identity_hash);
    return coalesce(p_task_uuids, '{}');
  end if;

  for v_uuid in
    insert into tasker.tasks (
      task_uuid, named_task_uuid, state, complete, has_added_edges, priority, total_steps, open_steps, active_steps,
      suspended_steps, transition_count,
      requested_at, updated_at, started_at, completed_at, deadline, correlation_id, parent_correlation_id,
      identity_hash, initiator, login, role, source_system, reason, tags, headers, context,
      parent_step_uuid, depth, undo, creator_namespaces
    )
    select
      u.task_uuid, p_task.named_task_uuid, p_task.state, p_task.complete, p_task.has_added_edges, p_task.priority, p_task.total_steps,
      p_task.open_steps, p_task.active_steps, p_task.suspended_steps, p_task.transition_count, p_task.requested_at, p_task.requested_at, p_task.started_at,
      p_task.completed_at, p_task.deadline, coalesce(p_task.correlation_id, u.task_uuid),
      p_task.parent_correlation_id, u.identity_hash, p_task.initiator, p_task.login, p_task.role,
      p_task.source_system, p_task.reason, p_task.tags, p_task.headers, u.context,
      p_task.parent_step_uuid, p_task.depth, p_task.undo, p_task.creator_namespaces
    from unnest(p_task_uuids, p_contexts, p_hashes) as u (task_uuid, context, identity_hash)
    on conflict (task_uuid) do nothing
    returning task_uuid
  loop
    v_inserted := v_inserted || v_uuid;
  end loop;
  return v_inserted;
end;
$$;

comment on function tasker.insert_tasks is
$$Inserts the rows of tasks as copies of the prototype. Returns the UUIDs of the tasks that did not exist. p_given is true if the caller chose the UUIDs, which may already exist.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/roots_to_claim.sql
create or replace function tasker.roots_to_claim(p_named_task_uuid uuid, p_namespace text, p_handlers text[], p_limit integer)
  returns integer[]
  language plpgsql
  stable
as $$
begin
  return array(
    select s.step_no
      from tasker.settings_now as c
     cross join tasker.named_tasks_named_steps as s
     where s.named_task_uuid = p_named_task_uuid
       and s.total_parents = 0
       and s.await is null
       and s.for_each is null
       and s.limit_no is null
       and case
         when p_handlers is null then s.named_step_uuid <> all (c.handled_here)
         else (select h.name from tasker.named_steps as h where h.named_step_uuid = s.named_step_uuid) = any (p_handlers)
       end
       and not tasker.is_paused(p_namespace, s.named_step_uuid, c)
     order by s.priority desc, s.step_no
     limit p_limit
  );
end;
$$;

comment on function tasker.roots_to_claim is
$$Returns the numbers of the root steps that a worker gets when it creates a task from the template. The worker has the handlers of these steps, and the handlers are not paused. The steps are in the order of priority. The function omits steps that name a limit, because only claims start such steps. Steps that the database runs itself are handed only to a worker that names their handlers.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/announce_limits.sql
create or replace function tasker.announce_limits(p_opened jsonb)
  returns void
  language plpgsql
as $$
declare
  v_held      text := current_setting('tasker.opened_limits', true);
  v_namespace text;
begin
  if v_held <> '' then
    perform set_config('tasker.opened_limits', (v_held::jsonb || p_opened)::text, true);
    return;
  end if;

  for v_namespace in
    select distinct l.namespace
      from jsonb_to_recordset(p_opened) as o (limit_no integer)
     cross join lateral (
       select l.namespace
         from tasker.limits as l
        where l.limit_no = o.limit_no
       offset 0
     ) as l
  loop
    perform tasker.notify_steps_ready(v_namespace);
  end loop;
end;
$$;

comment on function tasker.announce_limits is
$$Wakes the workers of the limits whose keys this call has opened. A key is opened if it has a new step or may have a free place. p_opened is an array of objects with limit_no and limit_key. In a call that claims afterwards (tasker.hold_limits), wakes no worker but adds the keys to the collected keys, because the claim may take their steps.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/hold_limits.sql
create or replace function tasker.hold_limits()
  returns void
  language plpgsql
as $$
begin
  perform set_config('tasker.opened_limits', '[]', true);
end;
$$;

comment on function tasker.hold_limits is
$$Begins to collect the keys that this call opens. Until tasker.release_limits, tasker.announce_limits collects the keys instead of waking workers. A call that records results and then claims uses this.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/release_limits.sql
create or replace function tasker.release_limits()
  returns void
  language plpgsql
as $$
declare
  v_opened jsonb := current_setting('tasker.opened_limits');
  v_soon   timestamptz := tasker.write_clock() + interval '500 milliseconds';
begin
  perform set_config('tasker.opened_limits', '', true);
  if v_opened = '[]' then
    return;
  end if;

  -- Keys whose steps the claim has taken need no other worker. A line whose places are all taken needs no worker either:
  -- a note opens the line, or the end of the first lease does, which is later than the time when any sleeping worker
  -- wakes.
  select jsonb_agg(o.opened)
    into v_opened
    from jsonb_array_elements(v_opened) as o (opened)
   cross join lateral (select (o.opened ->> 'limit_no')::integer as limit_no, o.opened ->> 'limit_key' as limit_key) as k
   cross join lateral tasker.key_limit(k.limit_no, k.limit_key) as l
   where exists (
           select
             from tasker.step_queue as q
            where q.limit_no = k.limit_no
              and q.limit_key = k.limit_key
              and q.lane = 'limited'
           offset 0
         )
     and (
           exists (
             select
               from tasker.limit_notes as n
              where n.limit_no = k.limit_no
                and n.key_hash = hashtext(k.limit_key)
                and n.limit_key = k.limit_key
             offset 0
           )
        or exists (
             select
               from tasker.limit_lines as s
              where s.limit_no = k.limit_no
                and s.limit_key = k.limit_key
                and (s.next_at <= v_soon or s.version <> l.version or l.rate is not null)
             offset 0
           )
     );
  if v_opened is not null then
    perform tasker.announce_limits(v_opened);
  end if;
end;
$$;

comment on function tasker.release_limits is
$$Ends the collection that tasker.hold_limits began: announces the collected keys, except keys for which no other worker has anything to do.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/await_limit_key.sql
create or replace function tasker.await_limit_key(p_namespaces text[], p_handlers text[])
  returns boolean
  language plpgsql
  set lock_timeout = '100ms'
as $$
begin
  perform
     from (
       select k.limit_no, k.limit_key
         from jsonb_to_recordset(current_setting('tasker.opened_limits')::jsonb) as k (limit_no integer, limit_key text)
        where exists (
          select
            from tasker.limits as l
           where l.limit_no = k.limit_no
             and l.namespace = any (p_namespaces)
          offset 0
        )
          and exists (
            select
              from tasker.limit_handlers as h
             cross join lateral (
               select
                 from tasker.step_queue as q
                where q.limit_no = k.limit_no
                  and q.limit_key = k.limit_key
                  and q.lane = 'limited'
                  and q.named_step_uuid = h.named_step_uuid
                limit 1
             ) as q
             where h.limit_no = k.limit_no
               and (p_handlers is null or h.handler = any (p_handlers))
            offset 0
          )
        limit 1
     ) as o
    cross join lateral (
      select
        from tasker.limit_keys as k
       where k.limit_no = o.limit_no
         and k.limit_key = o.limit_key
         for no key update
    ) as k;
  return found;
exception
  when lock_not_available then
    return false;
end;
$$;

comment on function tasker.await_limit_key is
$$Locks the row of a key that this call has opened (tasker.hold_limits), and waits at most 100 milliseconds if another claim holds the row. So the call itself can take the place that its result has freed, and need not wake another worker. Returns false if the call has opened no key with steps for these handlers, or did not get the lock in time.

Only a claim that holds no key yet waits here. So no claim waits for a key while it holds another key.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/limit_moves.sql
create or replace function tasker.limit_moves(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_now        timestamptz := tasker.write_clock();
  v_opened     jsonb;
begin
  -- Steps that were just enqueued leave the ordinary lanes.
  update tasker.step_queue as q
     set limit_lane = q.lane,
         lane       = 'limited',
         limit_no   = s.limit_no,
         limit_key  = s.limit_key
    from unnest(p_moves) as m
   cross join lateral (
     select s.limit_no, s.limit_key
       from tasker.workflow_steps as s
      where s.task_uuid = m.task_uuid
        and s.step_no = m.step_no
        and s.limit_no is not null
     offset 0
   ) as s
   cross join lateral (
     select
       from tasker.step_queue as k
      where k.task_uuid = m.task_uuid
        and k.step_no = m.step_no
        and k.lane in ('high', 'normal', 'low')
     offset 0
   ) as k
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no;

  with noted as (
    insert into tasker.limit_notes (limit_no, key_hash, limit_key, named_step_uuid, noted_at)
    select distinct s.limit_no, hashtext(s.limit_key), s.limit_key, s.named_step_uuid, v_now
      from unnest(p_moves) as m
     cross join lateral (
       select s.limit_no, s.limit_key, s.named_step_uuid
         from tasker.workflow_steps as s
        where s.task_uuid = m.task_uuid
          and s.step_no = m.step_no
          and s.limit_no is not null
       offset 0
     ) as s
     where m.to_state = 'enqueued'
        or m.from_state = 'in_progress'
    returning limit_no, limit_key
  )
  select jsonb_agg(distinct jsonb_build_object('limit_no', n.limit_no, 'limit_key', n.limit_key)) into v_opened from noted as n;

  if v_opened is not null then
    perform tasker.announce_limits(v_opened);
  end if;
end;
$$;

comment on function tasker.limit_moves is
$$Moves the queue rows of just enqueued steps that name a limit into the lane "limited". Writes notes for claims that a line has a new step or a place is free, and announces the keys. The writer calls this function after it has written the queue rows, for moves that enqueue a limited step or end its run.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/insert_limit_places.sql
create or replace function tasker.insert_limit_places(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
begin
  insert into tasker.limit_places (task_uuid, step_no, limit_no, limit_key, units, whole_run)
  select s.task_uuid, s.step_no, l.limit_no, l.limit_key, l.units, coalesce(s.needs ->> 'hold' = 'run', false)
    from unnest(p_moves) as m
   cross join lateral (
     select s.task_uuid, s.step_no, s.limit_no, s.limit_key, s.inputs, k.limit_needs as needs, n.namespace
       from tasker.workflow_steps as s
       join tasker.tasks as t
         on t.task_uuid = s.task_uuid
       join tasker.named_tasks_named_steps as k
         on k.named_task_uuid = t.named_task_uuid
        and k.step_no = coalesce(s.map_no, s.step_no)
       join tasker.limits as n
         on n.limit_no = s.limit_no
      where s.task_uuid = m.task_uuid
        and s.step_no = m.step_no
        and k.limit_needs ?| '{units,hold,limits}'
     offset 0
   ) as s
   cross join lateral (
     select s.limit_no, s.limit_key, coalesce((s.needs ->> 'units')::integer, 1) as units
     union all
     select
       l.limit_no, tasker.limit_key_in(s.task_uuid, (e.value ->> 'limit_key')::jsonpath, s.inputs),
       coalesce((e.value ->> 'limit_units')::integer, 1)
       from jsonb_array_elements(s.needs -> 'limits') as e (value)
       join tasker.limits as l
         on l.namespace = s.namespace
        and l.name = e.value ->> 'limit'
   ) as l
   where m.to_state = 'enqueued'
  on conflict (task_uuid, step_no, limit_no) do nothing;

  -- A step whose run holds its places does not wait in the line again.
  update tasker.step_queue as q
     set lane       = q.limit_lane,
         limit_no   = null,
         limit_key  = null,
         limit_lane = null
    from unnest(p_moves) as m
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no
     and q.lane = 'limited'
     and m.to_state = 'enqueued'
     and exists (
       select
         from tasker.limit_places as h
        where h.task_uuid = m.task_uuid
          and h.step_no = m.step_no
          and h.held_units > 0
       offset 0
     );
end;
$$;

comment on function tasker.insert_limit_places is
$$Inserts rows for the places that just enqueued steps need in their limits. Puts steps whose run already holds the places back into their ordinary lane.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/limit_place_moves.sql
create or replace function tasker.limit_place_moves(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_opened jsonb;
begin
  with freed as (
    delete from tasker.limit_places as h
     using unnest(p_moves) as m
     where h.task_uuid = any (array[m.task_uuid])
       and h.step_no = m.step_no
       and m.to_state in ('pending', 'complete', 'error', 'cancelled', 'resolved_manually')
    returning h.limit_no, h.limit_key, m.task_uuid, m.step_no, h.units
  ),
  kept as (
    update tasker.limit_places as h
       set held_units = case when h.whole_run then h.units else 0 end
      from unnest(p_moves) as m
     where h.task_uuid = any (array[m.task_uuid])
       and h.step_no = m.step_no
       and m.from_state = 'in_progress'
       and m.to_state not in ('pending', 'complete', 'error', 'cancelled', 'resolved_manually')
    returning h.limit_no, h.limit_key, m.task_uuid, m.step_no, h.held_units
  ),
  noted as (
    insert into tasker.limit_notes (limit_no, key_hash, limit_key, named_step_uuid, noted_at)
    select distinct f.limit_no, hashtext(f.limit_key), f.limit_key, s.named_step_uuid, tasker.write_clock()
      from (
        select f.* from freed as f
        union all
        select k.* from kept as k where k.held_units = 0
      ) as f
     cross join lateral (
       select s.named_step_uuid
         from tasker.workflow_steps as s
        where s.task_uuid = f.task_uuid
          and s.step_no = f.step_no
       offset 0
     ) as s
    returning limit_no, limit_key
  )
  select jsonb_agg(distinct jsonb_build_object('limit_no', n.limit_no, 'limit_key', n.limit_key)) into v_opened from noted as n;
  if v_opened is not null then
    perform tasker.announce_limits(v_opened);
  end if;
  if exists (select from unnest(p_moves) as m where m.to_state = 'enqueued') then
    perform tasker.insert_limit_places(p_moves);
  end if;
end;
$$;

comment on function tasker.limit_place_moves is
$$Updates the rows of steps in tasker.limit_places. A step that ends frees all its places. A step that leaves the state in_progress frees its places, or keeps them if it holds them for its whole run. For an enqueued step, inserts the places that the step needs. Writes notes that tell claims which keys have free places. Locks only rows of these steps.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/open_limit_key.sql
create or replace function tasker.open_limit_key(p_limit_no integer, p_limit_key text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- One note opens all lines of the key. A step that is enqueued meanwhile writes a note of its own.
  insert into tasker.limit_notes (limit_no, key_hash, limit_key, named_step_uuid, noted_at)
  select p_limit_no, hashtext(p_limit_key), p_limit_key, q.named_step_uuid, tasker.write_clock()
    from tasker.step_queue as q
   where q.limit_no = p_limit_no
     and q.limit_key = p_limit_key
     and q.lane = 'limited'
   limit 1;
  if found then
    perform tasker.announce_limits(jsonb_build_array(jsonb_build_object('limit_no', p_limit_no, 'limit_key', p_limit_key)));
  end if;
end;
$$;

comment on function tasker.open_limit_key is
$$Makes the next claim check a key whose bounds have changed, if steps wait for the key, and wakes workers.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/input_bound.sql
create or replace function tasker.input_bound(p_limit_no integer, p_step text, p_path text, p_value jsonb, p_max integer)
  returns integer
  language plpgsql
  stable
as $$
begin
  if jsonb_typeof(p_value) = 'number' and p_value::numeric >= 1 and p_value::numeric = trunc(p_value::numeric) then
    return least(p_value::numeric, p_max);
  end if;
  raise exception using
    errcode = 'TK422',
    message = format(
      'the context gives limit "%s" a bound that is no whole number from 1', (select l.name from tasker.limits as l where l.limit_no = p_limit_no)
    ),
    detail  = format('step "%s", path %s, value %s', p_step, left(p_path, 100), left(p_value::text, 100)),
    hint    = 'Create the task with a number there, or without a value: then the key keeps its bound.';
end;
$$;

comment on function tasker.input_bound is
$$Returns the bound that a value of a task's context gives a key, at most p_max. Raises TK422 for a value that is no whole number from 1.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/replace_input_bounds.sql
create or replace function tasker.replace_input_bounds(p_limits integer[], p_keys text[])
  returns void
  language plpgsql
as $$
begin
  -- Another transaction may have inserted rows that are not committed. The older of its rows and these stays until the next change.
  delete from tasker.limit_input_bounds as i
   using (
     select o.limit_no, o.limit_key, o.bound_no
       from unnest(p_limits, p_keys) as u (limit_no, limit_key)
      cross join lateral (
        select i.limit_no, i.limit_key, i.bound_no
          from tasker.limit_input_bounds as i
         where i.limit_no = u.limit_no
           and i.limit_key = u.limit_key
         order by i.bound_no desc
        offset 1
           for update skip locked
      ) as o
   ) as o
   where i.limit_no = o.limit_no
     and i.limit_key = o.limit_key
     and i.bound_no = o.bound_no;
  perform tasker.open_limit_key(u.limit_no, u.limit_key) from unnest(p_limits, p_keys) as u (limit_no, limit_key);
end;
$$;

comment on function tasker.replace_input_bounds is
$$Deletes the bounds from inputs that newer bounds of the same keys replace, except rows that another transaction holds. Opens the keys to the next claim.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/set_input_bounds.sql
create or replace function tasker.set_input_bounds(p_task_uuids uuid[])
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
  v_now    timestamptz := tasker.write_clock();
  v_limits integer[];
  v_keys   text[];
begin
  with wanted as (
    select distinct on (b.limit_no, k.limit_key)
      b.limit_no, k.limit_key, tasker.input_bound(b.limit_no, s.step_name, b.path, v.value, b.max) as concurrency
      from unnest(p_task_uuids) with ordinality as u (task_uuid, ord)
     cross join lateral (
       select t.named_task_uuid, t.context from tasker.tasks as t where t.task_uuid = u.task_uuid offset 0
     ) as t
     cross join lateral (
       select s.step_no, s.step_name, s.limit_no, s.limit_key, s.initialization, s.limit_needs
         from tasker.named_tasks_named_steps as s
        where s.named_task_uuid = t.named_task_uuid
          and s.limit_needs is not null
       offset 0
     ) as s
     cross join lateral (
       select s.limit_no, s.limit_key as key_path, s.limit_needs ->> 'bound' as path, (s.limit_needs ->> 'bound_max')::integer as max
       union all
       select l.limit_no, (e.value ->> 'limit_key')::jsonpath, e.value ->> 'limit_bound', (e.value ->> 'limit_bound_max')::integer
         from tasker.limits as o
         join jsonb_array_elements(s.limit_needs -> 'limits') as e (value)
           on e.value ? 'limit_bound'
         join tasker.limits as l
           on l.namespace = o.namespace
          and l.name = e.value ->> 'limit'
        where o.limit_no = s.limit_no
     ) as b
     cross join lateral (select jsonb_path_query_first(t.context, b.path::jsonpath, '{}', true) as value offset 0) as v
     cross join lateral (select tasker.limit_key_of(b.key_path, t.context, s.initialization) as limit_key offset 0) as k
     where v.value <> 'null'
     order by b.limit_no, k.limit_key, u.ord desc, s.step_no desc
  ),
  inserted as (
    insert into tasker.limit_input_bounds (limit_no, limit_key, concurrency, set_at)
    select w.limit_no, w.limit_key, w.concurrency, v_now
      from wanted as w
      left join lateral (
        select i.concurrency, i.set_at
          from tasker.limit_input_bounds as i
         where i.limit_no = w.limit_no
           and i.limit_key = w.limit_key
         order by i.bound_no desc
         limit 1
      ) as i on true
     where i.concurrency is distinct from w.concurrency
        or i.set_at < v_now - interval '30 days'
    returning limit_no, limit_key
  )
  select array_agg(i.limit_no), array_agg(i.limit_key) into v_limits, v_keys from inserted as i;
  if v_limits is not null then
    perform tasker.replace_input_bounds(v_limits, v_keys);
  end if;
end;
$$;

comment on function tasker.set_input_bounds is
$$Gives keys of limits the bounds that the contexts of tasks have for them (limit_bound). The last of several tasks counts. A bound that holds already is not written. Waits for no other transaction. The tasks' rows have been inserted. Raises TK422 for a value that is no whole number from 1.$$;
-- <<<

-- >>> db/schema/functions/features/sealing/private/check_sealed_moves.sql
create or replace function tasker.check_sealed_moves(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_plain record;
begin
  -- Two kinds of results are not checked: the end of a wait, which the database composes (a signal's payload was checked
  -- when it was sent), and a result that a fork takes over from an encrypted step.
  select m.task_uuid, m.step_no, case when m.error is null then 'result' else 'error' end as what
    into v_plain
    from unnest(p_moves) as m
   -- Read the results from the step's row, because writers of many moves pass the moves without results.
   cross join lateral (
     select s.results
       from tasker.workflow_steps as s
      where s.task_uuid = m.task_uuid
        and s.step_no = m.step_no
        and m.to_state in ('enqueued_for_orchestration', 'complete', 'resolved_manually')
     union all
     select null
     limit 1
   ) as s
   where m.effects & 8192 <> 0
     and m.from_state <> 'suspended'
     and case
       when m.error is not null then m.from_state = 'in_progress' and not tasker.is_sealed_error(m.error)
       else coalesce(m.result, s.results, 'null') <> 'null' and not tasker.is_sealed(coalesce(m.result, s.results))
     end
     and not (m.metadata ? 'forked_from' and tasker.taken_over(m.metadata ->> 'forked_from', coalesce(m.result, s.results)))
   limit 1;
  if found then
    perform tasker.refuse_plain(tasker.step_uuid(v_plain.task_uuid, v_plain.step_no), v_plain.what);
  end if;
end;
$$;

comment on function tasker.check_sealed_moves is
$$Raises TK422 if a step of an encrypted template has a result or an error in the clear. The error rolls back the transaction of the move.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/attribute_of.sql
create or replace function tasker.attribute_of(p_type text, p_value jsonb)
  returns tasker.task_attributes
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_kind text := jsonb_typeof(p_value);
  v_text text := p_value #>> '{}';
  v_most integer := case p_type when 'text' then 500 else 100 end;
  a      tasker.task_attributes;
begin
  if v_kind = 'null' then
    return a;
  elsif v_kind in ('object', 'array') then
    a.problem := format('the value is an %s', v_kind);
  elsif length(v_text) > v_most then
    a.problem := format('the value has %s characters; a %s has at most %s', length(v_text), p_type, v_most);
  elsif p_type = 'text' then
    a.text_value := v_text;
  elsif p_type = 'number' then
    if v_kind = 'number' or v_text ~ '^[+-]?[0-9]+([.][0-9]+)?$' then
      a.number_value := v_text::numeric;
    else
      a.problem := format('"%s" is no number', left(v_text, 40));
    end if;
  elsif v_text ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?))?$' then
    begin
      a.time_value := v_text::timestamptz;
    exception
      when data_exception then
        a.problem := format('"%s" is no time', left(v_text, 40));
    end;
  else
    a.problem := format('"%s" is no time with its offset, such as 2026-12-24T18:00:00Z, and no date', left(v_text, 40));
  end if;
  return a;
end;
$$;

comment on function tasker.attribute_of is
$$Converts a value to the type of an attribute. Sets the value or the problem in the returned row; for a JSON null it sets neither. A date becomes its first moment in UTC.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/write_attributes.sql
create or replace function tasker.write_attributes(p_task_uuids uuid[], p_named_task_uuids uuid[], p_step_nos integer[], p_values jsonb[])
  returns void
  language plpgsql
as $$
declare
  v_now timestamptz := tasker.write_clock();
begin
  insert into tasker.task_attributes as a (task_uuid, attribute_no, step_no, text_value, number_value, time_value, problem, changed_at)
  select f.task_uuid, f.attribute_no, f.step_no, v.text_value, v.number_value, v.time_value, v.problem, v_now
    from (
      -- If an attribute has two sources in the arrays, the later source counts.
      select distinct on (u.task_uuid, d.attribute_no) u.task_uuid, d.attribute_no, u.step_no, d.type, p.value
        from unnest(p_task_uuids, p_named_task_uuids, p_step_nos, p_values) with ordinality as u (task_uuid, named_task_uuid, step_no, value, place)
       cross join lateral (
         select d.attribute_no, d.path, n.type
           from tasker.template_attributes as d
           join tasker.attributes as n
             on n.attribute_no = d.attribute_no
          where d.named_task_uuid = u.named_task_uuid
            and d.step_no = u.step_no
         offset 0
       ) as d
       cross join lateral (
         select jsonb_path_query_first(u.value, d.path, '{}', true) as value offset 0
       ) as p
       where p.value is not null
       order by u.task_uuid, d.attribute_no, u.place desc
    ) as f
   cross join lateral tasker.attribute_of(f.type, f.value) as v
   order by f.task_uuid, f.attribute_no
  on conflict (task_uuid, attribute_no) do update
     set step_no      = excluded.step_no,
         text_value   = excluded.text_value,
         number_value = excluded.number_value,
         time_value   = excluded.time_value,
         problem      = excluded.problem,
         changed_at   = excluded.changed_at;
end;
$$;

comment on function tasker.write_attributes is
$$Writes the attributes of tasks from p_values, in the order of the arrays. A value is the result of a step, or the context if the step number is 0. The caller passes the values, so that a creation opens no partition of steps. If a source has no value at the attribute's path, the attribute does not change. The caller holds the locks of the tasks, or has inserted them.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/attribute_moves.sql
create or replace function tasker.attribute_moves(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
begin
  perform tasker.write_attributes(
      array_agg(m.task_uuid order by m.task_uuid, m.step_no), array_agg(t.named_task_uuid order by m.task_uuid, m.step_no),
      array_agg(m.step_no order by m.task_uuid, m.step_no), array_agg(s.results order by m.task_uuid, m.step_no)
    )
     from unnest(p_moves) as m
    cross join lateral (
      select t.named_task_uuid from tasker.tasks as t where t.task_uuid = m.task_uuid offset 0
    ) as t
    cross join lateral (
      select s.results from tasker.workflow_steps as s where s.task_uuid = m.task_uuid and s.step_no = m.step_no offset 0
    ) as s
    where m.effects & 128 <> 0
      and m.to_state in ('complete', 'resolved_manually')
   having count(*) > 0;
end;
$$;

comment on function tasker.attribute_moves is
$$Writes the attributes that the results of completed steps change. If one call completes two steps, the step with the higher number counts as the later step.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/context_attributes.sql
create or replace function tasker.context_attributes(p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
begin
  perform tasker.write_attributes(array_agg(t.task_uuid), array_agg(t.named_task_uuid), array_agg(0), array_agg(t.context))
     from unnest(p_task_uuids) as u (task_uuid)
    cross join lateral (
      select t.task_uuid, t.named_task_uuid, t.context from tasker.tasks as t where t.task_uuid = u.task_uuid offset 0
    ) as t
   having count(*) > 0;
end;
$$;

comment on function tasker.context_attributes is
$$Writes the attributes of new tasks from their contexts. Does not read steps, so no partition of steps is opened.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/taken_attributes.sql
create or replace function tasker.taken_attributes(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.write_attributes(
      array_agg(s.task_uuid), array_agg(t.named_task_uuid),
      array_agg(s.step_no order by s.processed_at, s.step_no), array_agg(s.results order by s.processed_at, s.step_no)
    )
     from tasker.workflow_steps as s
    cross join lateral (
      select t.named_task_uuid from tasker.tasks as t where t.task_uuid = s.task_uuid offset 0
    ) as t
    where s.task_uuid = p_task_uuid
      and s.effects & 128 <> 0
      and s.state in ('complete', 'resolved_manually')
   having count(*) > 0;
end;
$$;

comment on function tasker.taken_attributes is
$$Writes the attributes of a task from the results of all its completed steps, in the order in which the steps completed. The caller has inserted the task.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/renew_attributes.sql
create or replace function tasker.renew_attributes(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.forget_attributes(p_task_uuid);
  perform tasker.context_attributes(array[p_task_uuid]);
  perform tasker.taken_attributes(p_task_uuid);
end;
$$;

comment on function tasker.renew_attributes is
$$Writes all attributes of a task again, from its context and then from its results. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/forget_attributes.sql
create or replace function tasker.forget_attributes(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from tasker.task_attributes as a where a.task_uuid = p_task_uuid;
end;
$$;

comment on function tasker.forget_attributes is
$$Deletes all attributes of a task. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/doors/moves/private/moved.sql
create or replace function tasker.moved(p_moves tasker.step_moves[], p_effects smallint)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  if p_effects & 1 <> 0 then
    v_ok := tasker.begin_waits(p_moves);
  end if;
  if p_effects & 8 <> 0 then
    v_ok := tasker.end_waits(p_moves);
  end if;
  if p_effects & 4 <> 0 then
    v_ok := tasker.limit_moves(p_moves);
  end if;
  if p_effects & 256 <> 0 then
    v_ok := tasker.limit_place_moves(p_moves);
  end if;
  if p_effects & 16384 <> 0 then
    v_ok := tasker.hold_moves(p_moves);
  end if;
  if p_effects & 16 <> 0 then
    v_ok := tasker.keep_wait_values(p_moves);
  end if;
  if p_effects & 64 <> 0 then
    v_ok := tasker.forget_last_errors(p_moves);
  end if;
  if p_effects & 8192 <> 0 then
    v_ok := tasker.check_sealed_moves(p_moves);
  end if;
  if p_effects & 512 <> 0 then
    v_ok := tasker.bound_starts(p_moves);
  end if;
  if p_effects & 2048 <> 0 then
    v_ok := tasker.note_races(p_moves);
  end if;
  if p_effects & 128 <> 0 then
    v_ok := tasker.attribute_moves(p_moves);
  end if;
end;
$$;

comment on function tasker.moved is
$$Door: steps were moved or created. Passes the moves to the features that their effects name. p_effects has the effects
of all moves. The functions that write moves call this door after they have written the steps, log, queue rows and
timers, while they hold the locks. The functions that it calls write rows of their own feature and queue rows of these
steps, and wait for no lock.$$;
-- <<<

-- >>> db/schema/functions/doors/tasks/private/contexts_given.sql
create or replace function tasker.contexts_given(p_task_uuids uuid[], p_effects smallint)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  if p_effects & 128 <> 0 then
    v_ok := tasker.context_attributes(p_task_uuids);
  end if;
  if p_effects & 2 <> 0 then
    v_ok := tasker.set_input_bounds(p_task_uuids);
  end if;
end;
$$;

comment on function tasker.contexts_given is
$$Door: new tasks have been inserted, and their contexts have attributes or bound keys of limits (the effects of the template's first moves have the bit 128 or 2).$$;
-- <<<

-- >>> db/schema/functions/doors/tasks/private/results_taken.sql
create or replace function tasker.results_taken(p_task_uuid uuid)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  v_ok := tasker.taken_attributes(p_task_uuid);
end;
$$;

comment on function tasker.results_taken is
$$Door: a new task has taken over results of another task's steps (fork_task), without a move of its own steps.$$;
-- <<<

-- >>> db/schema/functions/doors/tasks/private/context_replaced.sql
create or replace function tasker.context_replaced(p_task_uuid uuid)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  v_ok := tasker.renew_attributes(p_task_uuid);
  v_ok := tasker.set_input_bounds(array[p_task_uuid]);
end;
$$;

comment on function tasker.context_replaced is
$$Door: the context of a task was changed (change_task).$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/root_moves.sql
create or replace function tasker.root_moves(p_named_task_uuid uuid, p_task_uuids uuid[], p_at timestamptz)
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
begin
  return array(
    select tasker.step_move(
      p_task_uuid => u.task_uuid, p_step_no => s.step_no, p_from_state => 'pending',
      p_event => case when s.await is null then 'Enqueue' else 'Suspend' end,
      p_to_state => case when s.await is null then 'enqueued'::tasker.step_state else 'suspended' end,
      p_moved_at => p_at, p_effects => s.effects
    )
      from unnest(p_task_uuids) as u (task_uuid)
     cross join tasker.named_tasks_named_steps as s
     where s.named_task_uuid = p_named_task_uuid
       and s.total_parents = 0
       and s.effects <> 0
       and s.for_each is null
     order by u.task_uuid, s.step_no
  );
end;
$$;

comment on function tasker.root_moves is
$$Returns the first moves of those steps of new tasks that have effects. The rows of the steps have been inserted.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/roots_born.sql
create or replace function tasker.roots_born(
  p_named_task_uuid  uuid,
  p_task_uuids       uuid[],
  p_at               timestamptz,
  p_effects          smallint
)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  perform tasker.maps_ready(array_agg(u.task_uuid), array_agg(s.step_no))
     from unnest(p_task_uuids) as u (task_uuid)
    cross join tasker.named_tasks_named_steps as s
    where s.named_task_uuid = p_named_task_uuid
      and s.total_parents = 0
      and s.for_each is not null
   having count(*) > 0;
  if p_effects & 130 <> 0 then
    v_ok := tasker.contexts_given(p_task_uuids, p_effects);
  end if;
  if p_effects & ~130 <> 0 then
    v_ok := tasker.moved(tasker.root_moves(p_named_task_uuid, p_task_uuids, p_at), p_effects);
  end if;
end;
$$;

comment on function tasker.roots_born is
$$Passes the first steps of new tasks that start at once to the features that handle them. It writes notes for maps, and passes the first moves of other steps that have effects to the door tasker.moved. It passes contexts with attributes or bounds of limits to the door tasker.contexts_given. The rows of tasks and steps have been inserted.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/insert_steps.sql
create or replace function tasker.insert_steps(
  p_named_task_uuid  uuid,
  p_task_uuids       uuid[],
  p_namespace        text,
  p_at               timestamptz,
  p_priority         integer,
  p_started          boolean,
  p_claimed          integer[]  default '{}',
  p_worker_uuid      uuid       default null,
  p_lease_seconds    integer    default null
)
  returns void
  language plpgsql
as $$
declare
  v_claims      boolean := p_claimed <> '{}';
  v_seconds     integer;
  v_claim_no    integer;
  v_login       text;
  v_role        text;
  v_lease_until timestamptz;
begin
  if v_claims then
    v_claim_no := tasker.next_claim_no(0);
    v_login := session_user;
    v_role := tasker.set_role();
    v_seconds := coalesce(p_lease_seconds, tasker.setting_integer('lease_seconds'));
    v_lease_until := p_at + v_seconds * interval '1 second';
  end if;

  insert into tasker.workflow_steps (
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, join_mode, total_parents, pending_parents, max_attempts,
    retryable, priority, transition_count, timeout_seconds, backoff_base_seconds, backoff_multiplier,
    max_backoff_seconds, created_at, inputs, claim_no, attempts, worker_uuid, claim_login,
    claim_role, lease_until, lease_seconds, last_attempted_at, await, for_each,
    limit_no, limit_key, compensate_uuid, effects
  )
  select
    u.task_uuid, s.step_no, tasker.step_uuid(u.task_uuid, s.step_no), s.named_step_uuid, s.step_name,
    case
      when c.claimed then 'in_progress'::tasker.step_state
      when p_started and s.total_parents = 0 and s.for_each is null then case when s.await is null then 'enqueued'::tasker.step_state else 'suspended' end
      else 'pending'
    end,
    s.join_mode, s.total_parents, s.total_parents, s.max_attempts, s.retryable, s.priority + p_priority,
    case when c.claimed then 2 when p_started and s.total_parents = 0 and s.for_each is null then 1 else 0 end,
    s.timeout_seconds, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds, p_at,
    s.initialization,
    case when c.claimed then v_claim_no else 0 end,
    case when c.claimed then 1 else 0 end,
    case when c.claimed then p_worker_uuid end,
    case when c.claimed then v_login end,
    case when c.claimed then v_role end,
    case when c.claimed then v_lease_until end,
    case when c.claimed then v_seconds end,
    case when c.claimed then p_at end,
    s.await,
    s.for_each,
    s.limit_no,
    case when s.limit_no is not null then tasker.limit_key_in(u.task_uuid, s.limit_key, s.initialization) end,
    s.compensate_uuid,
    s.effects
  from unnest(p_task_uuids) as u (task_uuid)
  cross join tasker.named_tasks_named_steps as s
  cross join lateral (select v_claims and s.step_no = any (p_claimed) as claimed) as c
  where s.named_task_uuid = p_named_task_uuid;

  if not p_started then
    return;
  end if;

  insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, claim_no, visible_at)
  select
    u.task_uuid, s.step_no, p_namespace,
    tasker.step_lane(
      case when c.claimed then 'in_progress'::tasker.step_state else 'enqueued' end, s.priority + p_priority
    ),
    s.named_step_uuid,
    case when c.claimed then v_claim_no else 0 end,
    case when c.claimed then v_lease_until else p_at end
  from unnest(p_task_uuids) as u (task_uuid)
  cross join tasker.named_tasks_named_steps as s
  cross join lateral (select v_claims and s.step_no = any (p_claimed) as claimed) as c
  where s.named_task_uuid = p_named_task_uuid
    and s.total_parents = 0
    and s.await is null
    and s.for_each is null;

  -- Path 1 of tasker.step_log_paths: enqueued. Path 13: suspended.
  insert into tasker.step_log (task_uuid, step_no, sort_key, path, created_at, xact)
  select
    u.task_uuid, s.step_no, 1, case when s.await is null then 1 else 13 end, p_at, (select pg_current_xact_id()::text::bigint)
  from unnest(p_task_uuids) as u (task_uuid)
  cross join tasker.named_tasks_named_steps as s
  where s.named_task_uuid = p_named_task_uuid
    and s.total_parents = 0
    and s.for_each is null;

  if v_claims then
    -- Path 3 of tasker.step_log_paths: started.
    insert into tasker.step_log (
      task_uuid, step_no, sort_key, path, claim_no, worker_uuid, created_at
    )
    select
      u.task_uuid, c.step_no, 2, 3, v_claim_no, p_worker_uuid, p_at
    from unnest(p_task_uuids) as u (task_uuid)
    cross join unnest(p_claimed) as c (step_no);
  end if;
end;
$$;

comment on function tasker.insert_steps is
$$Inserts the steps of new tasks from the template, with set-based statements. All functions that create several tasks use this function. Tasks use the template's edges without a copy. If the tasks start at once, this function also writes the state, queue row and log of their root steps. A root step is in progress if p_claimed has its number, suspended if it has no handler, pending if it is a map, and otherwise enqueued. The caller then calls tasker.roots_born.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/log_new_tasks.sql
create or replace function tasker.log_new_tasks(p_template tasker.creation_templates, p_task_uuids uuid[], p_at timestamptz)
  returns void
  language plpgsql
as $$
begin
  insert into tasker.task_log (task_uuid, sort_key, path, outcome, created_at, xact)
  select
    u.task_uuid, p_template.transition_count, p_template.path, p_template.ready, p_at, (select pg_current_xact_id()::text::bigint)
    from unnest(p_task_uuids) as u (task_uuid);
end;
$$;

comment on function tasker.log_new_tasks is
$$Logs the path of new tasks that start at once. It leads to steps_in_process, for tasks without steps to complete, and for tasks whose first steps all wait to waiting_for_dependencies.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/schedule_new_tasks.sql
create or replace function tasker.schedule_new_tasks(
  p_task        tasker.tasks,
  p_task_uuids  uuid[],
  p_namespace   text,
  p_start_at    timestamptz
)
  returns void
  language plpgsql
as $$
declare
  v_waits boolean := p_task.state = 'pending' and p_start_at > p_task.requested_at;
begin
  if p_task.deadline is not null or v_waits then
    insert into tasker.timers (task_uuid, kind, due_at, namespace)
    select
      u.task_uuid, d.kind, d.due_at, p_namespace
    from unnest(p_task_uuids) as u (task_uuid)
    cross join (values
      ('task_deadline'::tasker.timer_kind, p_task.deadline),
      ('start_task'::tasker.timer_kind, case when v_waits then p_start_at end)
    ) as d (kind, due_at)
    where d.due_at is not null;
  end if;
  if p_task.state <> 'pending' or v_waits then
    return;
  end if;

  insert into tasker.waiting_tasks (task_uuid, priority, waiting_since, dispatch_rank)
  select
    u.task_uuid,
    p_task.priority,
    p_task.requested_at,
    tasker.dispatch_rank(
      p_task.priority, n.priority_modifier, p_task.requested_at, 0, p_task.requested_at, p_task.deadline
    )
  from unnest(p_task_uuids) as u (task_uuid)
  cross join tasker.task_namespaces as n
  where n.name = p_namespace;
end;
$$;

comment on function tasker.schedule_new_tasks is
$$Inserts the rows that make new tasks move later: a timer for the deadline, and a timer for the start or, if the tasks wait for an orchestrator, a waiting row.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/check_identity_contexts.sql
create or replace function tasker.check_identity_contexts(
  p_task_uuids  uuid[],
  p_owners      uuid[],
  p_contexts    jsonb[],
  p_keys        text[]
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_owner uuid;
  v_key   text;
begin
  if p_task_uuids = p_owners then
    return;
  end if;
  select u.owner, u.key
    into v_owner, v_key
    from unnest(p_task_uuids, p_owners, p_contexts, p_keys) as u (task_uuid, owner, context, key)
   cross join lateral (
     select t.context
       from tasker.tasks as t
      where t.task_uuid = u.owner
     offset 0
   ) as t
   where u.owner <> u.task_uuid
     and t.context <> u.context
     and not tasker.same_context(t.context, u.context)
   limit 1;
  if found then
    raise exception using
      errcode = 'TK409',
      message = format('identity key "%s" belongs to a task with another context', left(v_key, 100)),
      detail  = format('It belongs to task %s.', v_owner),
      hint    = 'A repeat has the same key and the same context. Use another key for another request.';
  end if;
end;
$$;

comment on function tasker.check_identity_contexts is
$$Raises TK409 if a caller's identity key belongs to a task that was created with another context: the caller would wait for work that is never done.$$;
-- <<<

-- >>> db/schema/tables/features/policies/task_debounces.sql
create table tasker.task_debounces (
  key_hash   bytea        not null,
  task_uuid  uuid,
  first_at   timestamptz  not null,

  constraint task_debounces_pkey
    primary key (key_hash),
  constraint task_debounces_key_hash_check
    check (octet_length(key_hash) = 32)
);

create index task_debounces_first_idx
  on tasker.task_debounces (first_at);

comment on index tasker.task_debounces_first_idx is
  'Serves the deletion of keys whose task has started.';

comment on table tasker.task_debounces is
  'The task of the last request of a debounced key. Requests of one key wait for the lock of this row.';
comment on column tasker.task_debounces.first_at is
  'The time of the first of the waiting requests. The longest allowed wait is measured from this time.';
-- <<<

-- >>> db/schema/tables/features/policies/creation_throttles.sql
create table tasker.creation_throttles (
  namespace     text         not null,
  task_name     text         not null,
  throttle_key  text         not null,
  free_at       timestamptz  not null,
  queues        boolean      not null  default false,

  constraint creation_throttles_pkey
    primary key (namespace, task_name, throttle_key)
);

create index creation_throttles_free_idx
  on tasker.creation_throttles (free_at);

comment on index tasker.creation_throttles_free_idx is
  'Serves the deletion of keys to which nothing is charged any longer.';

comment on table tasker.creation_throttles is
  'The task creations that are charged to a key of a template, as one timestamp.';
comment on column tasker.creation_throttles.free_at is
  'The time from which earlier creations no longer count for the key. Each task advances this time by its share of the period.';
comment on column tasker.creation_throttles.queues is
  'Whether tasks that exceed the rate wait for their turn. If so, free_at may be further ahead of now than the period.';
-- <<<

-- >>> db/schema/functions/features/policies/private/check_creation_policy.sql
create or replace function tasker.check_creation_policy(p_request tasker.task_requests)
  returns void
  language plpgsql
  immutable
as $$
begin
  perform tasker.check_text_size('throttle''s key', p_request.throttle_key, 1000);
  if p_request.identity_scope not in ('forever', 'open', 'period') or (p_request.identity_scope = 'period') <> (p_request.identity_ttl is not null) then
    raise exception using
      errcode = 'TK422',
      message = format('the identity scope of a task cannot be "%s"%s', left(p_request.identity_scope, 100), case when p_request.identity_ttl is null then '' else ' with a time to live' end),
      hint    = 'It is forever, open, or period with p_identity_ttl.';
  elsif p_request.debounce_longest_seconds is not null and p_request.debounce_seconds is null
     or p_request.debounce_seconds not between 1 and 31536000
     or p_request.debounce_longest_seconds not between p_request.debounce_seconds and 31536000 then
    raise exception using
      errcode = 'TK422',
      message = 'a task cannot be debounced like this',
      detail  = format('%s seconds, %s at the longest', coalesce(p_request.debounce_seconds::text, 'no'), coalesce(p_request.debounce_longest_seconds::text, 'any time')),
      hint    = 'Give p_debounce_seconds from 1 second to a year, and the longest wait not below that.';
  elsif p_request.debounce_seconds is not null
    and (length(p_request.identity_keys[1]) between 1 and 1000 and num_nonnulls(p_request.start_at, p_request.identity_ttl, p_request.identity_scope) = 0 and p_request.deferred is not true) is not true then
    raise exception using
      errcode = 'TK422',
      message = 'a debounced task needs an identity key, and no start or identity scope of its own',
      hint    = 'Give p_identity_key: requests of the same key replace each other until the task starts.';
  elsif num_nonnulls(p_request.throttle_limit, p_request.throttle_seconds) = 1 or p_request.throttle_key is not null and p_request.throttle_limit is null
     or p_request.throttle_limit not between 1 and 1000000
     or p_request.throttle_seconds not between 1 and 31536000 then
    raise exception using
      errcode = 'TK422',
      message = 'the creation of tasks cannot be throttled like this',
      detail  = format('%s tasks in %s seconds', coalesce(p_request.throttle_limit::text, 'no'), coalesce(p_request.throttle_seconds::text, 'no')),
      hint    = 'Give both: p_throttle_limit from 1 to 1,000,000 tasks in p_throttle_seconds from 1 second to a year.';
  elsif p_request.throttle_waits and (p_request.throttle_limit is null or p_request.deferred) then
    raise exception using
      errcode = 'TK422',
      message = 'a task cannot wait for its turn like this',
      detail  = case when p_request.deferred then 'An orchestrator starts a deferred task.' else 'There is no throttle.' end,
      hint    = 'Give p_throttle_wait with p_throttle_limit and p_throttle_seconds, without p_deferred.';
  end if;
end;
$$;

comment on function tasker.check_creation_policy is
$$Raises TK422 if the policies of a request for a task are malformed or contradict each other, TK413 for a throttle's key that is too long.$$;
-- <<<

-- >>> db/schema/functions/features/policies/private/supersede_debounced.sql
create or replace function tasker.supersede_debounced(p_namespace text, p_name text, p_key text, p_actor text)
  returns tasker.task_debounces
  language plpgsql
as $$
declare
  v_hash     bytea := sha256(convert_to(jsonb_build_array(p_namespace, p_name, p_key)::text, 'UTF8'));
  v_debounce tasker.task_debounces;
  v_task     tasker.tasks;
begin
  insert into tasker.task_debounces as d (key_hash, first_at)
  values (v_hash, tasker.clock())
  -- Insert and read in one statement. Otherwise maintenance could delete the row after an insertion that did nothing.
  on conflict (key_hash) do update
     set first_at = d.first_at
  returning d.* into v_debounce;
  if v_debounce.task_uuid is not null then
    select t.*
      into v_task
      from tasker.tasks as t
     where t.task_uuid = v_debounce.task_uuid
       for no key update;
  end if;

  if v_task.state is distinct from 'pending' then
    -- The task has started, or there is no task. The wait begins again.
    v_debounce.first_at := tasker.write_clock();
    return v_debounce;
  end if;
  perform tasker.move_task(
    v_task, 'Cancel', 'cancelled', null, jsonb_build_object('reason', 'a later request of the same key has replaced it'), p_actor
  );
  return v_debounce;
end;
$$;

comment on function tasker.supersede_debounced is
$$Locks a debounced key and cancels its last task, unless that task has started. Returns the key's row with the time of the first request since a task of the key last started.

Locks the key's row, then the task and its steps, and waits for these locks.$$;
-- <<<

-- >>> db/schema/functions/features/policies/private/debounce_request.sql
create or replace function tasker.debounce_request(p_request tasker.task_requests)
  returns tasker.task_requests
  language plpgsql
as $$
declare
  v_debounce tasker.task_debounces;
begin
  perform tasker.check_given_name('initiator', p_request.initiator, null);
  v_debounce := tasker.supersede_debounced(
    p_request.namespace, p_request.name, p_request.identity_keys[1], p_request.initiator
  );
  p_request.debounce_hash := v_debounce.key_hash;
  p_request.debounced_since := v_debounce.first_at;
  p_request.start_at := least(
    tasker.clock() + make_interval(secs => p_request.debounce_seconds),
    v_debounce.first_at + make_interval(secs => p_request.debounce_longest_seconds)
  );
  -- A debounced request does not count as a repeat of an earlier request. The key's row, not an identity, names the last
  -- task.
  p_request.identity_keys := null;
  p_request.tick := concat('debounce ', gen_random_uuid());
  p_request.creator_namespaces := tasker.bound_namespaces();
  return p_request;
end;
$$;

comment on function tasker.debounce_request is
$$Cancels the task that a debounced request replaces, and returns the request with the start time and the identity of its own task.

Locks the key's row, then the task and its steps, and waits for these locks.$$;
-- <<<

-- >>> db/schema/functions/features/policies/private/note_debounced.sql
create or replace function tasker.note_debounced(p_request tasker.task_requests, p_task_uuid uuid)
  returns void
  language plpgsql
as $$
begin
  update tasker.task_debounces as d
     set task_uuid = p_task_uuid,
         first_at  = p_request.debounced_since
   where d.key_hash = p_request.debounce_hash;
end;
$$;

comment on function tasker.note_debounced is
$$Records the last task of a debounced key. This transaction has locked the key's row.$$;
-- <<<

-- >>> db/schema/functions/features/policies/private/queue_throttled.sql
create or replace function tasker.queue_throttled(p_task_uuids uuid[], p_start_at timestamptz, p_from timestamptz, p_each interval)
  returns void
  language plpgsql
as $$
begin
  update tasker.timers as m
     set due_at = greatest(nullif(p_start_at, tasker.clock() + interval '1 microsecond'), p_from + p_each * u.place, tasker.clock())
    from unnest(p_task_uuids) with ordinality as u (task_uuid, place)
   where m.task_uuid = u.task_uuid
     and m.step_no = 0
     and m.kind = 'start_task';
end;
$$;

comment on function tasker.queue_throttled is
$$Sets the start times of new tasks that wait in the queue of a throttle. The first task starts p_each after p_from, and each further task p_each after the preceding task. No task starts before p_start_at.$$;
-- <<<

-- >>> db/schema/functions/features/policies/private/refuse_throttled.sql
create or replace function tasker.refuse_throttled(p_request tasker.task_requests, p_count integer, p_queues boolean, p_ahead interval)
  returns void
  language plpgsql
  stable
as $$
declare
  v_wait bigint := ceil(extract(epoch from p_ahead - make_interval(secs => p_request.throttle_seconds)));
begin
  raise exception using
    errcode = 'TK429',
    message = format('too many tasks of template "%s/%s"', p_request.namespace, p_request.name),
    detail  = format(
      'At most %s in %s seconds%s%s.', p_request.throttle_limit, p_request.throttle_seconds,
      case when p_request.throttle_key <> '' then format(' for key "%s"', left(p_request.throttle_key, 100)) else '' end,
      case when p_queues then format(', and %s tasks would wait for %s seconds', p_count, v_wait) else '' end
    ),
    hint    = case
      when p_queues then 'A task waits at most a year: create fewer tasks, or give a higher rate.'
      when p_count > p_request.throttle_limit then format('Create them in calls of at most %s.', p_request.throttle_limit)
      when p_count > 1 then format('All %s may be created in %s seconds, one by one earlier.', p_count, v_wait)
      else format('The next one may be created in %s seconds.', v_wait)
    end;
end;
$$;

comment on function tasker.refuse_throttled is
$$Raises TK429, because there are too many tasks for a throttle or for its queue. p_ahead is the time from now until the throttle would be free again.$$;
-- <<<

-- >>> db/schema/functions/features/policies/private/charge_throttle.sql
create or replace function tasker.charge_throttle(p_request tasker.task_requests, p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
declare
  v_now      timestamptz;
  v_count    integer     := cardinality(p_task_uuids);
  v_waits    boolean     := coalesce(p_request.throttle_waits, false);
  v_each     interval    := make_interval(secs => p_request.throttle_seconds::double precision / p_request.throttle_limit);
  -- The share of one task may not be a whole number of microseconds, so add a microsecond for each task.
  v_period   interval    := make_interval(secs => p_request.throttle_seconds) + interval '1 microsecond' * p_request.throttle_limit;
  v_key      text        := coalesce(p_request.throttle_key, '');
  v_throttle tasker.creation_throttles;
  v_free     timestamptz;
begin
  insert into tasker.creation_throttles as h (namespace, task_name, throttle_key, free_at)
  values (p_request.namespace, p_request.name, v_key, tasker.clock())
  -- Insert and read in one statement. Otherwise maintenance could delete the row after an insertion that did nothing.
  on conflict (namespace, task_name, throttle_key) do update
     set free_at = h.free_at
  returning h.* into v_throttle;

  -- free_at is the time from which on no earlier creation of the key counts. If no task waits in the key's queue, free_at
  -- is at most the period ahead, unless the clock was put back or the period is shorter than before. In these two cases
  -- begin again at the present time, because a refusal is rolled back and so cannot correct free_at. The clock is read
  -- under the lock, so that earlier charges have read earlier times.
  v_now := tasker.write_clock();
  v_free := case
    when v_throttle.free_at > v_now + v_period and not v_throttle.queues then v_now
    else greatest(v_throttle.free_at, v_now)
  end;
  if v_waits and v_free + v_each * v_count <= v_now + v_period + interval '1 year' then
    perform tasker.queue_throttled(p_task_uuids, p_request.start_at, v_free - v_period, v_each);
  elsif v_waits or v_free + v_each * v_count > v_now + v_period then
    perform tasker.refuse_throttled(p_request, v_count, v_waits, v_free + v_each * v_count - v_now);
  end if;
  update tasker.creation_throttles as h
     set free_at = v_free + v_each * v_count,
         -- When the queue is empty, the row counts like a new row again.
         queues  = v_waits or h.queues and h.free_at > v_now
   where h.namespace = p_request.namespace
     and h.task_name = p_request.name
     and h.throttle_key = v_key;
end;
$$;

comment on function tasker.charge_throttle is
$$Counts the creation of tasks against a throttle. Raises TK429 if there are too many tasks; then no task is counted or created. If the request has throttle_waits, the tasks are created and start one after the other instead.

Locks the throttle's row until the transaction ends, and waits for this lock.$$;
-- <<<

-- >>> db/schema/functions/features/inputs/private/check_inputs.sql
create or replace function tasker.check_inputs(p_schema jsonb, p_task text, p_contexts jsonb[])
  returns void
  language plpgsql
  immutable
as $$
declare
  v_no      integer := 0;
  v_context jsonb;
  v_problem text;
begin
  foreach v_context in array p_contexts loop
    v_no := v_no + 1;
    v_problem := tasker.payload_problem(p_schema, v_context, 'context');
    if v_problem is not null then
      raise exception using
        errcode = 'TK422',
        message = format('task "%s": %s', p_task, left(v_problem, 500)),
        detail  = format('Context number %s does not fit the schema of the template''s input.', v_no),
        hint    = 'The field input_schema of the template says what a context must have: tasker.get_task_template() returns it.';
    end if;
  end loop;
end;
$$;

comment on function tasker.check_inputs is
$$Raises TK422 for the first context that does not fit the input schema of its template. The message names the part that does not fit.$$;
-- <<<

-- >>> db/schema/functions/doors/requests/private/admit_contexts.sql
create or replace function tasker.admit_contexts(p_schema jsonb, p_task text, p_contexts jsonb[])
  returns void
  language plpgsql
  immutable
as $$
begin
  if p_schema ? 'encrypted' then
    perform tasker.check_sealed_contexts(p_schema, p_task, p_contexts);
    if p_schema ? 'input_schema' then
      perform tasker.check_inputs(p_schema -> 'input_schema', p_task, array(select c.context - 'pgtasker' from unnest(p_contexts) as c (context)));
    end if;
    return;
  end if;
  perform tasker.check_inputs(p_schema, p_task, p_contexts);
end;
$$;

comment on function tasker.admit_contexts is
$$Door: a caller requests tasks of a template that has a schema of its input, or whose payloads are encrypted. Raises an error if a context does not fit.$$;
-- <<<

-- >>> db/schema/functions/doors/requests/private/admit_request.sql
create or replace function tasker.admit_request(p_request tasker.task_requests)
  returns tasker.task_requests
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  v_ok := tasker.check_creation_policy(p_request);
  if p_request.debounce_seconds is not null then
    p_request := tasker.debounce_request(p_request);
  end if;
  if p_request.throttle_waits and coalesce(p_request.start_at <= tasker.clock(), true) then
    -- Even a microsecond later counts as a later start. tasker.queue_throttled says when each of these tasks starts.
    p_request.start_at := tasker.clock() + interval '1 microsecond';
  end if;
  return p_request;
end;
$$;

comment on function tasker.admit_request is
$$Door: a caller requests tasks with a policy. Returns the request as the policies have changed it, or raises an error if a policy refuses it. tasker.make_tasks calls this door first, before any lock of its own.$$;
-- <<<

-- >>> db/schema/functions/doors/requests/private/request_made.sql
create or replace function tasker.request_made(p_request tasker.task_requests, p_creations tasker.task_creations[])
  returns void
  language plpgsql
as $$
declare
  v_new uuid[];
  v_ok  text; -- an assignment, unlike PERFORM, starts no executor
begin
  if p_request.debounce_hash is not null then
    v_ok := tasker.note_debounced(p_request, p_creations[1].task_uuid);
  end if;
  if p_request.throttle_limit is not null then
    v_new := array(select c.task_uuid from unnest(p_creations) with ordinality as c where c.created order by c.ordinality);
    if v_new <> '{}' then
      v_ok := tasker.charge_throttle(p_request, v_new);
    end if;
  end if;
end;
$$;

comment on function tasker.request_made is
$$Door: the tasks of a request with a policy exist: they were created now or earlier. tasker.make_tasks calls this door last, so that the throttle's row is locked after all other rows.$$;
-- <<<

-- >>> db/schema/functions/doors/requests/private/admit_tasks.sql
create or replace function tasker.admit_tasks(
  p_template  tasker.creation_templates,
  p_request   tasker.task_requests,
  p_uuids     uuid[],
  p_hashes    bytea[]
)
  returns uuid[]
  language plpgsql
as $$
begin
  if p_template.runs ->> 'further' not in ('skip', 'refuse') then
    return null;
  elsif p_uuids is null then
    perform tasker.admit_child_run(p_template, p_request);
    return null;
  end if;
  return tasker.admit_runs(p_template, p_request, p_uuids, p_hashes);
end;
$$;

comment on function tasker.admit_tasks is
$$Door: a caller requests tasks of a template that limits how many of its tasks run. Returns, for each requested task, the existing task that is returned in its place, or null. Returns null instead of an array of nulls. p_uuids is null for the task of a step, which no existing task can replace. Raises TK409 if the template refuses a task.$$;
-- <<<

-- >>> db/schema/functions/doors/requests/private/admit_payload.sql
create or replace function tasker.admit_payload(p_task_uuid uuid, p_named_task_uuid uuid, p_name text, p_payload jsonb)
  returns void
  language plpgsql
  stable
as $$
begin
  perform tasker.check_sealed_signal(p_task_uuid, p_named_task_uuid, p_name, p_payload);
end;
$$;

comment on function tasker.admit_payload is
$$Door: a signal is sent to a task. Raises an error if its payload must not be stored.$$;
-- <<<

-- >>> db/schema/functions/doors/requests/private/identity_context.sql
create or replace function tasker.identity_context(p_schema jsonb, p_context jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  -- Two ciphertexts of one context differ, but their keyed hashes are equal.
  select case when p_schema ? 'encrypted' then coalesce(p_context #> '{pgtasker,hash}', p_context) else p_context end;
end;

comment on function tasker.identity_context is
$$Door: returns the part of the context that equal requests share. The template of the requested task has a schema of its input.$$;
-- <<<

-- >>> db/schema/functions/doors/requests/private/same_context.sql
create or replace function tasker.same_context(p_context jsonb, p_other jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(tasker.is_sealed(p_context) and tasker.is_sealed(p_other)
    and p_context #>> '{pgtasker,hash}' = p_other #>> '{pgtasker,hash}', false);
end;

comment on function tasker.same_context is
$$Door: a request has the same identity key as an existing task, but another text as its context. Returns true if both texts are encryptions of the same context.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/make_tasks.sql
create or replace function tasker.make_tasks(p_request tasker.task_requests)
  returns tasker.task_creations[]
  language plpgsql
as $$
declare
  v_policy    boolean                   := num_nonnulls(
    p_request.identity_scope, p_request.debounce_seconds, p_request.debounce_longest_seconds, p_request.throttle_limit,
    p_request.throttle_seconds, p_request.throttle_key, p_request.throttle_waits
  ) > 0;
  v_template  tasker.creation_templates;
  v_contexts  jsonb[];
  v_keys      text[];
  v_task      tasker.tasks;
  v_uuids     uuid[];
  v_hashes    bytea[];
  v_owners    uuid[];
  v_others    uuid[]; -- existing tasks that are returned for some requests
  v_start     timestamptz;
  v_new       uuid[];
  v_claimed   integer[]                 := '{}';
  v_creations tasker.task_creations[];
  v_ok        text;
begin
  if v_policy then
    p_request := tasker.admit_request(p_request);
  end if;
  -- Number the elements from 1, because the caller's array may have other bounds.
  v_contexts := p_request.contexts[:];
  v_keys := p_request.identity_keys[:];
  v_template := tasker.find_template(p_request.namespace, p_request.name, p_request.version);
  if p_request.identity_ttl is not null or cardinality(p_request.contexts) > 100000 then
    v_ok := tasker.check_period('identity''s time to live', p_request.identity_ttl);
    v_ok := tasker.check_array_size('contexts', cardinality(p_request.contexts), 100000);
  end if;
  if p_request.initiator is not null and p_request.tick is null then
    v_ok := tasker.check_given_name('initiator', p_request.initiator, null);
  end if;
  if p_request.tick is not null then
    v_template.identity_strategy := 'tick';
    v_keys := array[p_request.tick];
  end if;
  v_ok := tasker.check_task_requests(v_template, p_request.namespace || '/' || p_request.name, v_contexts, v_keys, p_request.task_uuids[:]);
  if cardinality(v_contexts) = 0 then
    return '{}';
  end if;
  v_task := tasker.task_prototype(
    v_template, not coalesce(p_request.deferred, false) and coalesce(p_request.start_at <= tasker.clock(), true) and v_template.runs is null, p_request.priority, p_request.tags,
    p_request.initiator, p_request.source_system, p_request.reason, p_request.correlation_id, p_request.parent_correlation_id, p_request.headers, p_request.start_at, p_request.deadline
  );
  if p_request.tick is not null then
    v_task.creator_namespaces := p_request.creator_namespaces;
  end if;

  v_uuids := tasker.mint_task_uuids(cardinality(v_contexts), v_template.range_ends_at);
  if p_request.task_uuids is not null then
    v_uuids := tasker.accept_task_uuids(p_request.task_uuids, v_uuids);
  end if;
  v_hashes := tasker.task_identities(v_template, p_request.namespace, p_request.name, v_contexts, v_keys);
  if v_template.runs is not null then
    p_request.contexts := v_contexts;
    v_others := tasker.admit_tasks(v_template, p_request, v_uuids, v_hashes);
    v_start := p_request.start_at;
    p_request.start_at := 'infinity';
  end if;
  v_owners := case
    when v_others is not null then tasker.claim_others(v_hashes, v_uuids, v_others, v_task.requested_at + p_request.identity_ttl, coalesce(p_request.identity_scope = 'open', false))
    when v_template.identity_strategy = 'always_unique' then v_uuids
    else tasker.claim_identities(v_hashes, v_uuids, v_task.requested_at + p_request.identity_ttl, coalesce(p_request.identity_scope = 'open', false))
  end;

  -- Create only those candidates that own their identity. A UUID that the caller chose may already exist.
  if v_owners = v_uuids then
    v_new := tasker.insert_tasks(v_task, v_uuids, v_contexts, v_hashes, p_request.task_uuids is not null);
  else
    select tasker.insert_tasks(
        v_task, array_agg(u.task_uuid), array_agg(u.context), array_agg(u.hash), p_request.task_uuids is not null
      )
      into v_new
      from unnest(v_uuids, v_owners, v_contexts, v_hashes) as u (task_uuid, owner, context, hash)
     where u.owner = u.task_uuid;
  end if;
  if p_request.task_uuids is not null then
    perform tasker.check_task_uuids_free(v_uuids, v_template.named_task_uuid, v_hashes);
  end if;
  if v_template.identity_strategy = 'caller_provided' and v_owners <> v_uuids then
    perform tasker.check_identity_contexts(
      v_uuids, case when v_others is null then v_owners else array(
        select case when u.other is null then u.owner else u.task_uuid end from unnest(v_uuids, v_owners, v_others) with ordinality as u (task_uuid, owner, other, ord) order by u.ord
      ) end, v_contexts, v_keys
    );
  end if;

  if cardinality(v_new) > 0 then
    if p_request.worker_uuid is not null and v_task.active_steps > 0 and not v_template.paused then
      v_claimed := tasker.roots_to_claim(v_task.named_task_uuid, p_request.namespace, p_request.handlers, p_request.claim_limit);
    end if;
    v_ok := tasker.insert_steps(
      v_task.named_task_uuid, v_new, p_request.namespace, v_task.requested_at, v_task.priority, v_task.state <> 'pending', v_claimed,
      p_request.worker_uuid, p_request.lease_seconds
    );
    if v_task.state <> 'pending' then
      if v_template.root_effects <> 0 or v_template.has_maps then
        v_ok := tasker.roots_born(v_task.named_task_uuid, v_new, v_task.requested_at, v_template.root_effects);
      end if;
      v_ok := tasker.log_new_tasks(v_template, v_new, v_task.requested_at);
    elsif v_template.root_effects & 130 <> 0 then
      v_ok := tasker.contexts_given(v_new, v_template.root_effects);
    end if;
    if v_task.state = 'pending' or p_request.deadline is not null and v_task.state <> 'complete' then
      v_ok := tasker.schedule_new_tasks(v_task, v_new, p_request.namespace, p_request.start_at);
    end if;
    if v_template.runs is not null then
      v_ok := tasker.tasks_made(v_new, v_start);
    end if;
    if v_template.transport = 'pgmq' and v_task.active_steps > 0 then
      v_ok := tasker.announce_steps(p_request.namespace, v_new);
    end if;
    v_ok := tasker.notify_new_tasks(
      p_request.namespace, v_template.notify, v_task.state, v_new,
      v_task.state = 'pending' or v_template.transport <> 'pgmq' and v_task.active_steps > cardinality(v_claimed)
    );
    -- Wake sleeping clients, because work may be due earlier now.
    if v_task.state = 'pending' then
      v_ok := tasker.notify_orchestrators();
    end if;
  end if;

  if cardinality(v_new) = 1 and cardinality(v_uuids) = 1 then
    v_creations := array[row(1, v_new[1], true)::tasker.task_creations];
  elsif v_new = v_uuids then
    v_creations := array(
      select row(u.ord::integer, u.task_uuid, true)::tasker.task_creations
        from unnest(v_new) with ordinality as u (task_uuid, ord)
    );
  else
    v_creations := array(
      select
        row(
          u.ord::integer, u.owner,
          -- The subplan is hashed. A join would compare each row with each other row, because hash and merge joins are off.
          u.owner = u.task_uuid and u.task_uuid in (select n.task_uuid from unnest(v_new) as n (task_uuid))
            and u.ord = min(u.ord) over (partition by u.task_uuid, u.owner)
        )::tasker.task_creations
      from unnest(v_uuids, v_owners) with ordinality as u (task_uuid, owner, ord)
      order by u.ord
    );
  end if;
  if v_policy then
    v_ok := tasker.request_made(p_request, v_creations);
  end if;
  return v_creations;
end;
$$;

comment on function tasker.make_tasks is
$$Makes the tasks of a request, for every function that creates tasks. The rules, locks and errors are the same as for tasker.create_tasks. A worker that the request names gets the first steps, unless the namespace is paused. An identity of the scope "open" may be taken over when its task has ended. The caller has checked that the role may work in the namespace.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/make_task.sql
create or replace function tasker.make_task(p_request tasker.task_requests)
  returns tasker.task_creations
  language plpgsql
as $$
declare
  p         record;
  v_hash    bytea;
  v_owner   uuid;
  v_claimed integer[] := '{}';
  v_ok      text; -- an assignment, unlike PERFORM, starts no executor
begin
  -- This query reads everything that a creation needs, and whether the request uses no other feature. An expression of
  -- this function costs more than an expression of the query, because it is prepared again in each transaction.
  select
    k.named_task_uuid, k.identity_strategy, k.version, k.state, k.complete, k.has_maps, k.total_steps, k.active_steps,
    k.suspended_steps, k.transition_count, k.root_effects, k.path, k.ready, k.undo, k.paused, k.first_no, k.first_handler,
    k.first_priority,
    coalesce(k.notify, c.notify) as notify, tasker.clock() as now, tasker.set_role() as role,
    case when m.plain then tasker.new_task_uuid(m.micros, uuid_hash_extended(gen_random_uuid(), 0)) end as task_uuid, coalesce(p_request.priority, 0) as priority,
    num_nonnulls(p_request.initiator, p_request.tags, p_request.headers, k.input_schema) > 0 as said, k.input_schema
    into p
    from tasker.creation_plans as k
   cross join tasker.settings_now as c
   cross join lateral (
     select
       ((date_part('epoch', clock_timestamp()) + date_part('epoch', tasker.clock() - statement_timestamp())) * 1000000)::bigint as micros,
       k.retired_at is null and k.transport <> 'pgmq' and not c.any_bound and not tasker.is_scoped()
       and tasker.clock() >= c.covered_from and tasker.clock() < c.covered_until
       and p_request.deferred is not true
       and num_nonnulls(
         p_request.task_uuids, p_request.identity_ttl, p_request.identity_scope, p_request.debounce_seconds,
         p_request.debounce_longest_seconds, p_request.throttle_limit, p_request.throttle_seconds, p_request.throttle_key, p_request.throttle_waits,
         p_request.start_at, p_request.deadline, k.runs
       ) = 0
       and coalesce(p_request.priority, 0) between -1000 and 1000
       and coalesce(greatest(length(p_request.source_system), length(p_request.reason)) <= 1000, true)
       and jsonb_typeof(p_request.contexts[1]) = 'object'
       and octet_length(p_request.contexts[1]::text) <= c.context_bytes
       and not tasker.is_too_deep(p_request.contexts[1])
       and (k.identity_strategy = 'caller_provided') = (p_request.identity_keys is not null)
       and coalesce(length(p_request.identity_keys[1]) between 1 and 1000, true) as plain
     offset 0
   ) as m
   where k.namespace = p_request.namespace
     and k.name = p_request.name
     and k.version = coalesce(p_request.version, k.version)
   order by k.retired_at is not null, k.created_at desc, k.named_task_uuid desc
   limit 1;
  if p.task_uuid is null then
    v_ok := tasker.check_bound_namespaces(array[p_request.namespace]);
    return (tasker.make_tasks(p_request))[1];
  end if;
  if p.said then
    v_ok := tasker.check_given_name('initiator', p_request.initiator, null);
    v_ok := tasker.check_task_arguments(
      null, p_request.tags, p_request.initiator, null, null, p_request.headers, null, null
    );
    if p.input_schema is not null then
      v_ok := tasker.admit_contexts(p.input_schema, p_request.namespace || '/' || p_request.name, p_request.contexts[:]);
    end if;
  end if;
  if p.identity_strategy <> 'always_unique' then
    v_hash := tasker.task_identity(
      p.identity_strategy, p_request.namespace, p_request.name, p.version,
      case when p.input_schema is null then p_request.contexts[1] else tasker.identity_context(p.input_schema, p_request.contexts[1]) end,
      p_request.identity_keys[1]
    );
    v_owner := (tasker.claim_identities(array[v_hash], array[p.task_uuid], null, false))[1];
    if v_owner <> p.task_uuid then
      if p.identity_strategy = 'caller_provided' then
        v_ok := tasker.check_identity_contexts(array[p.task_uuid], array[v_owner], p_request.contexts, p_request.identity_keys);
      end if;
      return row(1, v_owner, false)::tasker.task_creations;
    end if;
  end if;

  insert into tasker.tasks (
    task_uuid, named_task_uuid, state, complete, has_added_edges, priority, total_steps, open_steps, active_steps, suspended_steps,
    transition_count, requested_at, updated_at, started_at, completed_at, correlation_id, parent_correlation_id, identity_hash,
    initiator, login, role, source_system, reason, tags, headers, context, undo
  )
  values (
    p.task_uuid, p.named_task_uuid, p.state, p.complete, p.has_maps, p.priority, p.total_steps, p.total_steps, p.active_steps,
    p.suspended_steps, p.transition_count, p.now, p.now, p.now, case when p.complete then p.now end,
    coalesce(p_request.correlation_id, p.task_uuid), p_request.parent_correlation_id, v_hash, p_request.initiator, session_user,
    p.role, p_request.source_system, p_request.reason, coalesce(p_request.tags, '{}'), coalesce(p_request.headers, '{}'),
    p_request.contexts[1], p.undo
  );
  if p_request.worker_uuid is not null then
    if not p.paused then
      v_claimed := tasker.roots_to_claim(p.named_task_uuid, p_request.namespace, p_request.handlers, p_request.claim_limit);
    end if;
    v_ok := tasker.insert_steps(
      p.named_task_uuid, array[p.task_uuid], p_request.namespace, p.now, p.priority, true, v_claimed, p_request.worker_uuid, p_request.lease_seconds
    );
  else
    insert into tasker.workflow_steps (
      task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, join_mode, total_parents, pending_parents, max_attempts,
      retryable, priority, transition_count, timeout_seconds, backoff_base_seconds, backoff_multiplier, max_backoff_seconds,
      created_at, inputs, await, for_each, limit_no, limit_key, compensate_uuid, effects
    )
    select
      p.task_uuid, s.step_no, tasker.step_uuid(p.task_uuid, s.step_no), s.named_step_uuid, s.step_name,
      case
        when s.total_parents > 0 or s.for_each is not null then 'pending'::tasker.step_state
        when s.await is null then 'enqueued'
        else 'suspended'
      end,
      s.join_mode, s.total_parents, s.total_parents, s.max_attempts, s.retryable, s.priority + p.priority,
      case when s.total_parents > 0 or s.for_each is not null then 0 else 1 end,
      s.timeout_seconds, s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds, p.now, s.initialization,
      s.await, s.for_each, s.limit_no,
      case when s.limit_no is not null then tasker.limit_key_in(p.task_uuid, s.limit_key, s.initialization) end,
      s.compensate_uuid, s.effects
    from tasker.named_tasks_named_steps as s
    where s.named_task_uuid = p.named_task_uuid;

    -- The plan has the row of a single first step. For more first steps the template is read again. A set-based
    -- creation would cost more.
    if p.first_no is not null then
      insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
      values (
        p.task_uuid, p.first_no, p_request.namespace, tasker.step_lane('enqueued', p.first_priority + p.priority), p.first_handler, p.now
      );
      -- Path 1 of tasker.step_log_paths: enqueued.
      insert into tasker.step_log (task_uuid, step_no, sort_key, path, created_at)
      values (p.task_uuid, p.first_no, 1, 1, p.now);
    else
      insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
      select p.task_uuid, s.step_no, p_request.namespace, tasker.step_lane('enqueued', s.priority + p.priority), s.named_step_uuid, p.now
        from tasker.named_tasks_named_steps as s
       where s.named_task_uuid = p.named_task_uuid
         and s.total_parents = 0
         and s.await is null
         and s.for_each is null;
      -- Path 13 of tasker.step_log_paths: suspended.
      insert into tasker.step_log (task_uuid, step_no, sort_key, path, created_at)
      select p.task_uuid, s.step_no, 1, case when s.await is null then 1 else 13 end, p.now
        from tasker.named_tasks_named_steps as s
       where s.named_task_uuid = p.named_task_uuid
         and s.total_parents = 0
         and s.for_each is null;
    end if;
  end if;
  if p.has_maps or p.root_effects <> 0 then
    v_ok := tasker.roots_born(p.named_task_uuid, array[p.task_uuid], p.now, p.root_effects);
  end if;
  insert into tasker.task_log (task_uuid, sort_key, path, outcome, created_at)
  values (p.task_uuid, p.transition_count, p.path, p.ready, p.now);
  v_ok := tasker.notify_new_tasks(p_request.namespace, p.notify, p.state, array[p.task_uuid], p.active_steps > cardinality(v_claimed));
  return row(1, p.task_uuid, true)::tasker.task_creations;
end;
$$;

comment on function tasker.make_task is
$$Makes the task of a request for one task, by key. tasker.make_tasks makes many tasks with set-based statements, and has the same rules, locks and errors. This function reads all that it needs from tasker.creation_plans and tasker.settings_now with one query, and inserts with one statement for each table. For requests with a policy, a start, a deadline or a chosen UUID, and for requests of bound roles, it calls tasker.make_tasks. This function checks the role.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/create_tasks.sql
create or replace function tasker.create_tasks(
  p_namespace              text,
  p_name                   text,
  p_contexts               jsonb[],
  p_version                text         default null,
  p_identity_keys          text[]       default null,
  p_task_uuids             uuid[]       default null,
  p_priority               integer      default null,
  p_tags                   text[]       default null,
  p_initiator              text         default null,
  p_source_system          text         default null,
  p_reason                 text         default null,
  p_correlation_id         uuid         default null,
  p_parent_correlation_id  uuid         default null,
  p_headers                jsonb        default null,
  p_start_at               timestamptz  default null,
  p_deferred               boolean      default null,
  p_deadline               timestamptz  default null,
  p_identity_ttl           interval     default null,
  p_identity_scope         text         default null,
  p_throttle_limit         integer      default null,
  p_throttle_seconds       integer      default null,
  p_throttle_key           text         default null,
  p_throttle_wait          boolean      default null
)
  returns setof tasker.task_creations
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
  v_ok        text;
  v_creations tasker.task_creations[];
begin
  v_ok := tasker.check_bound_namespaces(array[p_namespace]);
  -- The columns of tasker.task_requests, in their order. They are one expression, which is prepared once.
  v_creations := tasker.make_tasks(row(
    p_namespace, p_name, p_contexts, p_version, p_identity_keys, p_task_uuids, p_priority, p_tags, p_initiator,
    p_source_system, p_reason, p_correlation_id, p_parent_correlation_id, p_headers, p_start_at, p_deferred,
    p_deadline, p_identity_ttl, p_identity_scope, null, null, p_throttle_limit, p_throttle_seconds, p_throttle_key,
    null, null, null, null, null, null, null, null, p_throttle_wait
  )::tasker.task_requests);
  return query select c.* from unnest(v_creations) as c;
end;
$$;

comment on function tasker.create_tasks is
$$Creates a task for each context, all from one template. Returns a row for each context, in order: the task's UUID and whether this call created the task.

A repeat, in the same call or later, returns the first task's UUID with created = false. The template's identity strategy, or the caller's own UUID, decides whether a request is a repeat. A null argument means its default: the newest version that is not retired, priority 0, no tags. The tasks start at once, at p_start_at, or, with p_deferred, when an orchestrator takes them. p_identity_scope and the throttle are the same as for create_task. The throttle counts every task that is created, and refuses either all tasks of the call or none. With p_throttle_wait, the tasks start one after the other, in the order of their contexts. The call creates all tasks or none. It needs a few statements for any number of tasks. It works in the caller's transaction. Above READ COMMITTED a concurrent repeat raises 40001.

Locks the identities, in the order of their hashes. Raises TK404 if there is no such template, TK409 if a UUID belongs to another task, or an identity key to a task with another context, TK410 if the version is retired, TK413 if a context is too large, TK422 if an argument is malformed, TK429 if the throttle refuses them, TK507 if there is no partition for the tasks, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.create_tasks to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/policies/private/forget_creation_policies.sql
create or replace function tasker.forget_creation_policies(p_limit integer)
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
begin
  delete from tasker.creation_throttles as h
   where h.ctid = any (array(
     select o.ctid
       from tasker.creation_throttles as o
      where o.free_at < tasker.clock() - interval '1 minute'
      order by o.free_at
      limit p_limit
        for update skip locked
   ));
  delete from tasker.task_debounces as d
   where d.key_hash = any (array(
     select o.key_hash
       from tasker.task_debounces as o
      where o.first_at < tasker.clock() - interval '1 minute'
        and not exists (
          select from tasker.tasks as t where t.task_uuid = any (array[o.task_uuid]) and t.state = 'pending'
        )
      order by o.first_at
      limit p_limit
        for update skip locked
   ));
end;
$$;

comment on function tasker.forget_creation_policies is
$$Deletes the rows of throttles that no creation counts against any longer, and of debounced keys whose last task has started. Deletes at most p_limit rows of each kind, and skips locked rows.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/create_task.sql
create or replace function tasker.create_task(
  p_namespace                 text,
  p_name                      text,
  p_context                   jsonb        default '{}',
  p_version                   text         default null,
  p_identity_key              text         default null,
  p_task_uuid                 uuid         default null,
  p_priority                  integer      default null,
  p_tags                      text[]       default null,
  p_initiator                 text         default null,
  p_source_system             text         default null,
  p_reason                    text         default null,
  p_correlation_id            uuid         default null,
  p_parent_correlation_id     uuid         default null,
  p_headers                   jsonb        default null,
  p_start_at                  timestamptz  default null,
  p_deferred                  boolean      default null,
  p_deadline                  timestamptz  default null,
  p_identity_ttl              interval     default null,
  p_identity_scope            text         default null,
  p_debounce_seconds          integer      default null,
  p_debounce_longest_seconds  integer      default null,
  p_throttle_limit            integer      default null,
  p_throttle_seconds          integer      default null,
  p_throttle_key              text         default null,
  p_throttle_wait             boolean      default null
)
  returns setof tasker.task_creations
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
  v_creation tasker.task_creations;
begin
  -- The columns of tasker.task_requests, in their order. They are one expression, which is prepared once.
  v_creation := tasker.make_task(row(
    p_namespace, p_name, array[coalesce(p_context, '{}')], p_version,
    case when p_identity_key is not null then array[p_identity_key] end,
    case when p_task_uuid is not null then array[p_task_uuid] end,
    p_priority, p_tags, p_initiator, p_source_system, p_reason, p_correlation_id, p_parent_correlation_id,
    p_headers, p_start_at, p_deferred, p_deadline, p_identity_ttl, p_identity_scope, p_debounce_seconds,
    p_debounce_longest_seconds, p_throttle_limit, p_throttle_seconds, p_throttle_key,
    null, null, null, null, null, null, null, null, p_throttle_wait
  )::tasker.task_requests);
  return next v_creation;
end;
$$;

comment on function tasker.create_task is
$$Creates one task from a template and returns its UUID and whether this call created it. It does the work of create_tasks for a single context, with the same arguments, locks and errors, and has three more policies: the scope of the identity, a debounce and a throttle.

p_identity_scope says how long an equal request returns the existing task: "forever" (the default) while the task is kept, "open" until the task has ended, "period" for p_identity_ttl. With p_debounce_seconds, the task starts that many seconds after the last request with the same p_identity_key. Each request cancels the previous task if that task has not started, and replaces it. The task starts at the latest p_debounce_longest_seconds after the first request. The throttle applies to the template and p_throttle_key: p_throttle_limit tasks may be created at once, and one more task every p_throttle_seconds / p_throttle_limit seconds. A request beyond this rate raises TK429. A repeated request does not count. With p_throttle_wait, a task above the rate is created and starts when its turn in the queue of the throttle comes, if necessary later than p_start_at. Then the request raises TK429 only if that turn is more than a year from now.

Locks the debounced key, then its task, then the identity. Locks the throttle's row last.$$;

grant execute on function tasker.create_task to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/rows/operate/inspect/task_details.sql
create or replace view tasker.task_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  'pending'::tasker.task_state as state,
  false::boolean as complete,
  0::integer as priority,
  0::integer as total_steps,
  0::integer as open_steps,
  0::integer as active_steps,
  0::integer as retrying_steps,
  0::integer as suspended_steps,
  0::integer as failed_steps,
  '-infinity'::timestamptz as requested_at,
  '-infinity'::timestamptz as updated_at,
  null::timestamptz as started_at,
  null::timestamptz as completed_at,
  null::timestamptz as deadline,
  null::uuid as processor_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as correlation_id,
  null::uuid as parent_correlation_id,
  null::text as initiator,
  null::text as source_system,
  null::text as reason,
  '{}'::text[] as tags,
  '{}'::jsonb as headers,
  null::jsonb as context,
  null::uuid as parent_step_uuid,
  0::integer as depth,
  null::jsonb as undo,
  false::boolean as blocked,
  null::timestamptz as erased_at,
  false::boolean as paused
where false;

comment on view tasker.task_details is
  'Row type: a task as lists show it.';
comment on column tasker.task_details.context is
  'The context of the task. Null in lists.';

comment on column tasker.task_details.undo is
  'The progress of undoing the task. Null if the task was never undone. It has the phase (drain while steps in progress end, undo while compensations run, then done), the event that requested the undoing, the final state, the actor, the time of the beginning, and metadata with the reason.';

comment on column tasker.task_details.blocked is
  'Whether the task waits for an operator: its state is blocked_by_failures, and the policy on_failure: fail is not about to undo it.';

comment on column tasker.task_details.erased_at is
  'The time when the data of the task was erased. Null if it was not erased.';

comment on column tasker.task_details.paused is
  'Whether the task is paused (tasker.pause_task): no step of the task starts.';
-- <<<

-- >>> db/schema/functions/operate/inspect/get_task.sql
create or replace function tasker.get_task(p_task_uuid uuid)
  returns setof tasker.task_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  perform tasker.check_bound(p_task_uuid);
  return query
  select
    t.task_uuid, n.name, k.name, k.version, t.state, t.complete, t.priority,
    t.total_steps, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps,
    t.requested_at, t.updated_at, t.started_at, t.completed_at, t.deadline, t.processor_uuid,
    t.correlation_id, t.parent_correlation_id, t.initiator, t.source_system, t.reason,
    t.tags, t.headers, t.context, t.parent_step_uuid, t.depth,
    nullif(t.undo, '{}'), tasker.task_is_blocked(t.state, k.on_failure, t.undo), t.erased_at, tasker.task_is_held(t.task_uuid)
  from tasker.tasks as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  where t.task_uuid = p_task_uuid;

  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.get_task is
$$Returns a task with its template, state, counters, times and context. Raises TK404 if there is no such task, and TK403
if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/inspect/private/templates_named.sql
create or replace function tasker.templates_named(p_namespace text, p_name text, p_version text, p_bound text[])
  returns uuid[]
  language plpgsql
  stable
as $$
begin
  return array(
    select k.named_task_uuid
      from tasker.named_tasks as k
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where n.name = coalesce(p_namespace, n.name)
       and (p_bound is null or n.name = any (p_bound))
       and k.name = coalesce(p_name, k.name)
       and k.version = coalesce(p_version, k.version)
  );
end;
$$;

comment on function tasker.templates_named is
$$Returns the templates with this namespace, name and version. A null argument matches all. With p_bound, returns only
templates of these namespaces.$$;
-- <<<

-- >>> db/schema/rows/features/attributes/attribute_finds.sql
create or replace view tasker.attribute_finds as
select
  null::jsonb as places,
  null::boolean as cut
where false;

comment on view tasker.attribute_finds is
  'Row type: the tasks that a search by attributes found.';
comment on column tasker.attribute_finds.places is
  'An object whose keys are UUIDs of tasks. Each value is the place of the task in the order of the search.';
comment on column tasker.attribute_finds.cut is
  'Whether the search stopped because it had read as many rows as it may. Further tasks may then match.';
-- <<<

-- >>> db/schema/rows/features/attributes/attribute_values.sql
create or replace view tasker.attribute_values as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as name,
  ''::text as type,
  null::jsonb as value,
  null::text as problem,
  null::text as step,
  '-infinity'::timestamptz as changed_at
where false;

comment on view tasker.attribute_values is
  'Row type: an attribute of a task.';
comment on column tasker.attribute_values.value is
  'The value of the attribute. A time is given as text. Null if the value at the path does not have the type of the attribute.';
comment on column tasker.attribute_values.problem is
  'The reason why the value at the path does not have the type of the attribute. Null if it has that type.';
comment on column tasker.attribute_values.step is
  'The step whose result contains the value. Null if the value is from the context.';
-- <<<

-- >>> db/schema/rows/features/attributes/attribute_details.sql
create or replace view tasker.attribute_details as
select
  ''::text as namespace,
  ''::text as name,
  ''::text as type,
  '{}'::text[] as templates
where false;

comment on view tasker.attribute_details is
  'Row type: an attribute that templates of a namespace declare.';
comment on column tasker.attribute_details.templates is
  'The names of the templates that declare the attribute, in any version.';
-- <<<

-- >>> db/schema/functions/features/attributes/private/attribute_filters.sql
create or replace function tasker.attribute_filters(p_attributes text[], p_sort text)
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_filters jsonb := '[]';
  v_filter  text;
  m         text[];
begin
  if cardinality(p_attributes) > 10 then
    raise exception using
      errcode = 'TK422',
      message = format('a search has %s attributes', cardinality(p_attributes)),
      hint    = 'Pass at most ten conditions.';
  end if;
  foreach v_filter in array coalesce(p_attributes, '{}') loop
    m := regexp_match(v_filter, '^\s*([a-z][a-z0-9_]*)\s*(>=|<=|=|>|<)(.*)$');
    if m is null or length(v_filter) > 600 then
      raise exception using
        errcode = 'TK422',
        message = format('"%s" is no condition on an attribute', coalesce(left(v_filter, 100), 'null')),
        hint    = 'Write the name, one of = >= <= > <, and the value, such as customer=42 or total>=100.';
    end if;
    v_filters := v_filters || jsonb_build_object('name', m[1], 'op', m[2], 'value', m[3]);
  end loop;
  if p_sort is not null and p_sort !~ '^-?[a-z][a-z0-9_]*$' then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is no attribute to sort by', left(p_sort, 100)),
      hint    = 'Pass the name of an attribute, with - in front of it for the largest value first.';
  end if;
  return v_filters;
end;
$$;

comment on function tasker.attribute_filters is
$$Returns the conditions on attributes as an array of objects: name, op, value. Raises TK422 for an invalid condition, and for a sort that is not the name of an attribute.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/searched_attributes.sql
create or replace function tasker.searched_attributes(p_namespaces text[], p_names text[])
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_found jsonb;
  v_name  text;
begin
  select coalesce(jsonb_object_agg(n.name, jsonb_build_object('type', n.type, 'types', n.types, 'nos', n.nos)), '{}')
    into v_found
    from (
      select n.name, min(n.type) as type, count(distinct n.type) as types, array_agg(n.attribute_no order by n.attribute_no)::text as nos
        from tasker.attributes as n
       where n.name = any (p_names)
         and (p_namespaces is null or n.namespace = any (p_namespaces))
       group by n.name
    ) as n;
  foreach v_name in array p_names loop
    if not v_found ? v_name then
      raise exception using
        errcode = 'TK422',
        message = format('no template declares the attribute "%s"%s', left(v_name, 40), coalesce(format(' in the namespace "%s"', p_namespaces[1]), '')),
        hint    = coalesce((
          select 'Did you mean "' || tasker.nearest_name(left(v_name, 40), array_agg(distinct n.name)) || '"? '
            from tasker.attributes as n
           where p_namespaces is null
              or n.namespace = any (p_namespaces)
        ), '') || 'tasker.list_attributes() lists the attributes.';
    elsif (v_found #>> array[v_name, 'types'])::integer > 1 then
      raise exception using
        errcode = 'TK422',
        message = format('the attribute "%s" has different types in different namespaces', v_name),
        hint    = 'Name the namespace.';
    end if;
  end loop;
  return v_found;
end;
$$;

comment on function tasker.searched_attributes is
$$Returns the type and the numbers of attributes by their names, in these namespaces or in all namespaces. Raises TK422 for a name that no template declares, and for a name with several types.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/attribute_condition.sql
create or replace function tasker.attribute_condition(p_alias text, p_filter jsonb, p_type text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  a tasker.task_attributes := tasker.attribute_of(p_type, p_filter -> 'value');
begin
  if a.problem is not null then
    raise exception using
      errcode = 'TK422',
      message = format('the attribute "%s" is a %s', p_filter ->> 'name', p_type),
      detail  = a.problem || '.',
      hint    = case p_type when 'time' then 'Pass a time with its offset, such as 2026-12-24T18:00:00Z, or a date.' else format('Pass a %s.', p_type) end;
  end if;
  return format(' and %s.%I %s %L::%s', p_alias, p_type || '_value', p_filter ->> 'op',
    coalesce(a.text_value, a.number_value::text, a.time_value::text), case p_type when 'number' then 'numeric' when 'time' then 'timestamptz' else 'text' end);
end;
$$;

comment on function tasker.attribute_condition is
$$Returns a condition on an attribute as SQL. The value is a literal of the attribute's type. Raises TK422 for a value of another type.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/attribute_cursor.sql
create or replace function tasker.attribute_cursor(p_task_uuid uuid, p_nos text, p_column text, p_way text)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_condition text;
begin
  execute format(
    $sql$select format(' and (a.%1$I, a.task_uuid) %2$s (%%L::%3$s, %%L::uuid)', a.%1$I, a.task_uuid)
      from tasker.task_attributes as a
     where a.task_uuid = %4$L
       and a.attribute_no = any (%5$L::integer[])
       and a.%1$I is not null$sql$,
    p_column, case p_way when 'desc' then '<' else '>' end,
    case p_column when 'number_value' then 'numeric' when 'time_value' then 'timestamptz' else 'text' end, p_task_uuid, p_nos
  ) into v_condition;
  if v_condition is null then
    raise exception using
      errcode = 'TK422',
      message = format('task %s does not have the attribute of the sort', p_task_uuid),
      hint    = 'Begin with the first page.';
  end if;
  return v_condition;
end;
$$;

comment on function tasker.attribute_cursor is
$$Returns a condition, as SQL, that selects the entries after a task's entry, so that the next page of a sorted search begins there. Raises TK422 if the task does not have the attribute.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/private/search_attributes.sql
create or replace function tasker.search_attributes(
  p_namespaces  text[],
  p_attributes  text[],
  p_sort        text,
  p_before      uuid,
  p_after       uuid,
  p_from        uuid,
  p_until       uuid,
  p_limit       integer
)
  returns tasker.attribute_finds
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_most constant integer := 10000; -- the most index entries that a search reads
  v_filters jsonb   := tasker.attribute_filters(p_attributes, p_sort);
  v_range   text    := jsonb_path_query_first(v_filters, '$[*] ? (@.op != "=")') ->> 'name';
  v_by      text    := coalesce(ltrim(p_sort, '-'), v_range, v_filters #>> '{0,name}');
  v_sorted  boolean := coalesce(p_sort, v_range) is not null;
  v_way     text    := case when p_sort like '-%' or not v_sorted and p_after is null then 'desc' else 'asc' end;
  v_known   jsonb   := tasker.searched_attributes(p_namespaces, array(
    select distinct u.name from (select v_by as name union all select f.value ->> 'name' from jsonb_array_elements(v_filters) as f (value)) as u
  ));
  v_column  text    := v_known #>> array[v_by, 'type'] || '_value';
  v_where   text;
  v_others  text;
  v_found   tasker.attribute_finds;
begin
  if v_sorted and p_after is not null then
    raise exception using
      errcode = 'TK422',
      message = 'a list in the order of an attribute does not take p_after',
      hint    = 'Pass the last task of a page as p_before, and the sort with - in front of the name for the largest value first.';
  end if;
  -- The values are literals so that the planner sees them.
  select
    string_agg(tasker.attribute_condition('a', f.value, v_known #>> array[v_by, 'type']), '') filter (where f.value ->> 'name' = v_by),
    string_agg(format(
      ' and exists (select from tasker.task_attributes as o where o.task_uuid = c.task_uuid and o.attribute_no = any (%L::integer[])%s offset 0)',
      v_known #>> array[f.value ->> 'name', 'nos'], tasker.attribute_condition('o', f.value, v_known #>> array[f.value ->> 'name', 'type'])
    ), '') filter (where f.value ->> 'name' <> v_by)
    into v_where, v_others
    from jsonb_array_elements(v_filters) as f (value);
  v_where := coalesce(v_where, '')
    || coalesce(' and a.task_uuid >= ' || quote_literal(p_from), '') || coalesce(' and a.task_uuid < ' || quote_literal(p_until), '')
    || case
         when v_sorted and p_before is not null then tasker.attribute_cursor(p_before, v_known -> v_by ->> 'nos', v_column, v_way)
         else coalesce(' and a.task_uuid < ' || quote_literal(p_before), '') || coalesce(' and a.task_uuid > ' || quote_literal(p_after), '')
       end;
  execute format(
    $sql$select jsonb_object_agg(c.task_uuid, c.place) filter (where true%1$s), count(*) > %2$s
      from (
        select c.task_uuid, row_number() over (order by c.value %3$s, c.task_uuid %3$s) as place
          from unnest(%4$L::integer[]) as n (attribute_no)
         cross join lateral (
           select a.task_uuid, a.%5$I as value
             from tasker.task_attributes as a
            where a.attribute_no = n.attribute_no
              and a.%5$I is not null%6$s
            order by a.%5$I %3$s, a.task_uuid %3$s
            limit %7$s
         ) as c
         order by place
         limit %7$s
      ) as c$sql$,
    coalesce(v_others, ''), v_most, v_way, v_known #>> array[v_by, 'nos'], v_column, v_where,
    case when v_others is null and p_limit <= v_most then p_limit else v_most + 1 end
  ) into v_found.places, v_found.cut;
  v_found.places := coalesce(v_found.places, '{}');
  return v_found;
end;
$$;

comment on function tasker.search_attributes is
$$Returns the tasks that match all conditions on attributes, with their places in the order of the search. The order is by the attribute p_sort, otherwise by the first attribute with a range, otherwise newest first (with p_after, oldest first). An order by an attribute leaves out tasks without this attribute.

Reads at most 10,001 entries of the index of one attribute, or p_limit entries if there is no condition on another attribute. For each entry, reads one row for each condition on another attribute. A caller that filters the tasks further passes a p_limit above 10,000. Raises TK422 for invalid conditions.$$;
-- <<<

-- >>> db/schema/functions/features/attributes/get_task_attributes.sql
create or replace function tasker.get_task_attributes(p_task_uuids uuid[])
  returns setof tasker.attribute_values
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  perform tasker.check_array_size('tasks', cardinality(p_task_uuids), 10000);
  perform tasker.check_bound(u.task_uuid) from unnest(p_task_uuids) as u (task_uuid);
  return query
  select
    a.task_uuid, n.name, n.type,
    case n.type when 'number' then to_jsonb(a.number_value) when 'time' then to_jsonb(a.time_value) else to_jsonb(a.text_value) end,
    a.problem, s.name, a.changed_at
    from unnest(p_task_uuids) with ordinality as u (task_uuid, place)
   cross join lateral (
     select a.* from tasker.task_attributes as a where a.task_uuid = u.task_uuid offset 0
   ) as a
    join tasker.attributes as n
      on n.attribute_no = a.attribute_no
    left join tasker.workflow_steps as s
      on s.task_uuid = a.task_uuid
     and s.step_no = a.step_no
   where num_nonnulls(a.text_value, a.number_value, a.time_value, a.problem) > 0
   order by u.place, n.name;
end;
$$;

comment on function tasker.get_task_attributes is
$$Returns the attributes of tasks, in the order of the given tasks, then by the name of the attribute. A task without attributes has no row. Raises TK413 for more than 10,000 tasks, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_attributes to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/features/attributes/list_attributes.sql
create or replace function tasker.list_attributes(p_namespace text default null)
  returns setof tasker.attribute_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  return query
  select n.namespace, n.name, n.type, array(
      select distinct k.name
        from tasker.template_attributes as d
        join tasker.named_tasks as k
          on k.named_task_uuid = d.named_task_uuid
       where d.attribute_no = n.attribute_no
       order by k.name
    )
    from tasker.attributes as n
   where (p_namespace is null or n.namespace = p_namespace)
     and (v_bound is null or n.namespace = any (v_bound))
   order by n.namespace, n.name
   limit 10000;
end;
$$;

comment on function tasker.list_attributes is
$$Returns the attributes that templates declare, of one namespace or of all namespaces, at most 10,000 attributes. A bound caller sees its namespaces only. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_attributes to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/inspect/private/check_where.sql
create or replace function tasker.check_where(p_where text, p_templates uuid[])
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_error text := tasker.condition_error(p_where);
  v_clear text; -- the fields in the clear, if all templates are encrypted and the path names none of these fields
begin
  if v_error is not null then
    raise exception using
      errcode = 'TK422',
      message = format('the filter "%s" is not a jsonpath that a list can use', left(p_where, 100)),
      detail  = v_error,
      hint    = 'For example: $.total > 100, or $.items[*] ? (@.price > 100 && @.name starts with "lamp").';
  end if;
  select string_agg(distinct k.input_schema #>> '{encrypted,clear}', ', ')
    into v_clear
    from tasker.creation_plans as k
   where k.named_task_uuid = any (p_templates)
  having bool_and(coalesce(k.input_schema ? 'encrypted', false) and not exists (
    select
      from jsonb_array_elements_text(k.input_schema #> '{encrypted,clear}') as f (name)
     where position(f.name in p_where::jsonpath::text) > 0
        or p_where like '%*%'
  ));
  if found then
    raise exception using
      errcode = 'TK422',
      message = format('the filter "%s" reads encrypted fields only', left(p_where, 100)),
      detail  = format('The contexts of these tasks are encrypted. Fields in the clear: %s.', coalesce(v_clear, '[]')),
      hint    = 'Filter by a field that the template names in "encrypted.clear".';
  end if;
end;
$$;

comment on function tasker.check_where is
$$Raises TK422 for a filter of contexts that is no jsonpath, or that may cost more than one walk through a context for
each of its paths. The same rule holds for conditions (tasker.condition_error). Also raises TK422 if all templates are
encrypted and the filter names none of their fields in the clear and has no wildcard.$$;
-- <<<

-- >>> db/schema/functions/operate/inspect/private/context_matches.sql
create or replace function tasker.context_matches(p_context jsonb, p_where jsonpath)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  -- A predicate returns true or false. Any other path returns values or no value. With silent, a path that does not fit
  -- the context returns no value.
  select jsonb_path_exists(
    jsonb_path_query_array(
      case when p_context ? 'pgtasker' and tasker.is_sealed(p_context) then p_context - 'pgtasker' else p_context end, p_where, '{}', true
    ),
    'strict $[*] ? (@.type() != "null" && (@.type() != "boolean" || @ == true))'
  );
end;

comment on function tasker.context_matches is
$$Returns true if a predicate is true of a context, or if any other path finds a value in it that is not null or false.
Reads only the fields in the clear of an encrypted context.$$;
-- <<<

-- >>> db/schema/functions/operate/inspect/list_tasks.sql
create or replace function tasker.list_tasks(
  p_namespace         text         default null,
  p_name              text         default null,
  p_version           text         default null,
  p_state             text         default null,
  p_tags              text[]       default null,
  p_correlation_id    uuid         default null,
  p_requested_after   timestamptz  default null,
  p_requested_before  timestamptz  default null,
  p_before            uuid         default null,
  p_limit             integer      default null,
  p_parent_task_uuid  uuid         default null,
  p_identity_key      text         default null,
  p_initiator         text         default null,
  p_schedule          text         default null,
  p_handler           text         default null,
  p_step              text         default null,
  p_error             text         default null,
  p_longer_than       interval     default null,
  p_after             uuid         default null,
  p_attributes        text[]       default null,
  p_sort              text         default null,
  p_where             text         default null
)
  returns setof tasker.task_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_bound     text[]  := tasker.bound_namespaces();
  v_limit     integer := coalesce(p_limit, 100);
  v_most      integer := tasker.setting_integer('list_reads');
  v_open      boolean := coalesce(p_state = 'open', false);
  v_state     tasker.task_state;
  v_by_log    boolean := false; -- whether an index of the log has the tasks of the state
  v_ending    integer; -- the thousands digit of the paths that end in the state
  v_templates uuid[];
  v_keyed     uuid[];
  v_found     tasker.attribute_finds;
  v_searched  uuid[];
  v_filtered  boolean; -- whether a filter has no index
  v_next      text := case when p_after is null then 'p_before' else 'p_after' end; -- the argument for the next page
  v_tasks     uuid[];
  v_last      uuid; -- the last task that was read if the bound on reads ended the list
  v_read      integer; -- how many tasks were read by then
begin
  perform tasker.check_instant('time after which tasks were requested', nullif(p_requested_after, '-infinity'));
  perform tasker.check_instant('time before which tasks were requested', nullif(p_requested_before, 'infinity'));
  p_requested_after := nullif(p_requested_after, '-infinity');
  p_requested_before := nullif(p_requested_before, 'infinity');
  perform tasker.check_bound_namespaces(array[p_namespace]);
  if p_state is not null and not v_open then
    v_state := tasker.parse_task_state(p_state);
    v_ending := case v_state when 'error' then 1 when 'cancelled' then 2 when 'resolved_manually' then 3 end;
    v_by_log := v_ending is not null;
  end if;
  if v_limit not between 1 and 10000 then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 10,000', v_limit),
      hint    = 'For the next page pass the last task''s UUID as p_before.';
  end if;
  perform tasker.check_text_size(f.name, f.filter, 1000)
     from (values ('initiator', p_initiator), ('schedule', p_schedule), ('handler', p_handler), ('step', p_step), ('error', p_error)) as f (name, filter);
  if p_identity_key is not null then
    v_keyed := array(select f.task_uuid from tasker.find_tasks_by_key(p_identity_key, p_namespace, p_name) as f);
  end if;
  if coalesce(p_namespace, p_name, p_version) is not null or v_bound is not null then
    v_templates := tasker.templates_named(p_namespace, p_name, p_version, v_bound);
    if v_templates = '{}' then
      return;
    end if;
  end if;
  if p_where is not null then
    perform tasker.check_where(p_where, v_templates);
  end if;

  if p_attributes <> '{}' or p_sort is not null then
    v_found := tasker.search_attributes(
      case when p_namespace is null then v_bound else array[p_namespace] end, p_attributes, p_sort, p_before, p_after, tasker.uuid_v7_floor(p_requested_after),
      tasker.uuid_v7_floor(p_requested_before),
      case when num_nonnulls(
        p_name, p_version, p_state, p_tags, p_correlation_id, p_parent_task_uuid, p_identity_key, p_initiator, p_schedule, p_handler,
        p_step, p_error, p_longer_than, p_where
      ) = 0 then v_limit else 10001 end
    );
    v_searched := array(select k.task::uuid from jsonb_object_keys(v_found.places) as k (task));
    p_before := null;
    p_after := null;
  end if;

  v_filtered := num_nonnulls(p_initiator, p_schedule, p_handler, p_step, p_error, p_longer_than, p_where) > 0;

  -- The query is planned for the given filters, because a list is not a hot path. A null filter leaves no condition and
  -- no join in the plan. Templates are looked up before, so that the planner knows how many tasks they have. Times
  -- become bounds of the key, which prune whole partitions. The inner query has the filters with an index, and reads as
  -- many tasks as the outer filters need.
  select coalesce(array_agg(f.task_uuid order by f.place) filter (where not f.beyond), '{}'),
         (array_agg(f.last order by f.place) filter (where f.beyond))[1], min(f.place) filter (where f.beyond) - 1
    into v_tasks, v_last, v_read
    from (
      select c.task_uuid, c.place, c.last, c.beyond
        from (
          -- The size of a compressed context counts four times.
          select t.*, row_number() over w as place, lag(t.task_uuid) over w as last, v_filtered and row_number() over w > v_most
                 or p_where is not null
                    and coalesce(sum(pg_column_size(t.context) * case when pg_column_compression(t.context) is null then 1 else 4 end) over w, 0) > 1000::bigint * v_most as beyond
            from (
              select t.*
                from tasker.tasks as t
                -- The newest path in the task's log. Paths into these states are rare.
                left join tasker.task_log as l
                  on v_by_log
                 and l.task_uuid = t.task_uuid
                 and l.sort_key = t.transition_count
               where (v_templates is null or t.named_task_uuid = any (v_templates))
                 and (v_state is null or t.state = v_state)
                 and (not v_open or not t.complete)
                 and (not v_by_log or l.path >= 1000 and l.path / 1000 = v_ending)
                 -- Open tasks are few. Their partial index finds them without the ended tasks.
                 and (v_state is null or v_by_log or v_state = 'complete' or not t.complete)
                 and (p_tags is null or t.tags @> p_tags)
                 -- All tasks with a requested tag satisfy this condition. It lets the planner use the index of the
                 -- tasks with tags.
                 and (p_tags is null or p_tags = '{}' or t.tags <> '{}')
                 and (p_correlation_id is null or t.correlation_id = p_correlation_id)
                 and (p_requested_after is null or t.task_uuid >= tasker.uuid_v7_floor(p_requested_after))
                 and (p_requested_before is null or t.task_uuid < tasker.uuid_v7_floor(p_requested_before))
                 and (p_before is null or t.task_uuid < p_before)
                 and (p_after is null or t.task_uuid > p_after)
                 and (v_keyed is null or t.task_uuid = any (v_keyed))
                 and (v_searched is null or t.task_uuid = any (v_searched))
                 and (p_parent_task_uuid is null or t.task_uuid = any (array(
                   select u.task_uuid
                     from tasker.workflow_steps as s
                    cross join unnest(coalesce(s.child_task_uuids, array[s.child_task_uuid])) as u (task_uuid)
                    where s.task_uuid = p_parent_task_uuid
                 )))
               order by case when v_searched is not null then (v_found.places ->> t.task_uuid::text)::integer end,
                        case when p_after is not null then t.task_uuid end, t.task_uuid desc
               limit case when v_filtered then v_most + 1 else v_limit end
            ) as t
          window w as (rows between unbounded preceding and 1 preceding)
        ) as c
       where c.beyond
          or (p_initiator is null or c.initiator = p_initiator)
         and (p_schedule is null or c.source_system = 'schedule' and c.headers ->> 'schedule' = p_schedule)
         and (p_longer_than is null or coalesce(c.completed_at, tasker.clock()) - c.requested_at >= p_longer_than)
         and (coalesce(p_handler, p_step, p_error) is null or exists (
           select
             from tasker.workflow_steps as s
             join tasker.named_steps as h
               on h.named_step_uuid = s.named_step_uuid
            where s.task_uuid = c.task_uuid
              and (p_handler is null or h.name = p_handler)
              and (p_step is null or s.name = p_step)
              and (p_error is null or position(lower(p_error) in lower(s.last_error)) > 0)
           offset 0
         ))
         and (p_where is null or tasker.context_matches(c.context, p_where::jsonpath))
       limit v_limit
    ) as f;
  if v_last is not null then
    raise exception using
      errcode = 'TK422',
      message = format('the list has read %s tasks without filling the page', to_char(v_read, 'FM999,999,999')),
      detail  = format('Tasks found: %s.', case
        when v_tasks = '{}' then 'none'
        when cardinality(v_tasks) <= 10 then array_to_string(v_tasks, ', ')
        else format('%s, of which the first are %s', cardinality(v_tasks), array_to_string(v_tasks[:10], ', ')) end),
      hint    = case when v_tasks <> '{}' then format('A limit of %s lists them. ', cardinality(v_tasks)) else '' end
        || 'Narrow the list by time, by a tag, by a condition on an attribute, or by a state. '
        || format('%s => %L goes on where the list has stopped.', v_next, v_last);
  elsif v_found.cut and cardinality(v_tasks) < v_limit and v_limit <= 10000 then
    raise exception using
      errcode = 'TK422',
      message = 'the search has read 10,000 tasks without filling the page',
      hint    = 'Narrow the search by time, by another attribute as the first condition, or by the sort.';
  end if;

  return query
  select
    t.task_uuid, n.name, k.name, k.version, t.state, t.complete, t.priority,
    t.total_steps, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps,
    t.requested_at, t.updated_at, t.started_at, t.completed_at, t.deadline, t.processor_uuid,
    t.correlation_id, t.parent_correlation_id, t.initiator, t.source_system, t.reason,
    t.tags, t.headers, null::jsonb, t.parent_step_uuid, t.depth,
    nullif(t.undo, '{}'), tasker.task_is_blocked(t.state, k.on_failure, t.undo), t.erased_at, tasker.task_is_held(t.task_uuid)
    from unnest(v_tasks) with ordinality as u (task_uuid, place)
   cross join lateral (
     select t.* from tasker.tasks as t where t.task_uuid = u.task_uuid offset 0
   ) as t
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   order by u.place;
end;
$$;

comment on function tasker.list_tasks is
$$Returns the tasks that match all filters, newest first, without their contexts. A null argument does not filter.
p_tags finds tasks that have all these tags. p_state is a state, or "open" for all tasks that have not ended.
p_parent_task_uuid finds tasks that steps of this task started last. p_schedule finds tasks of the schedule with this
name. p_handler, p_step and p_error find tasks that have one step with this handler, this name and this text in its last
error. p_longer_than finds tasks that took at least this time, or are open for at least this time. p_where is a jsonpath
that is true of the context, such as $.total > 100, or that finds a value in the context. In an encrypted context it
sees only the fields in the clear. p_attributes are conditions on attributes that templates declare, such as customer=42
or total>=100. p_sort is the attribute by which the tasks are sorted, with - in front of its name for the largest value
first. A condition that is a range sorts by its attribute if p_sort is null. A bound caller sees only its own
namespaces.

For the next page, pass the UUID of the last task as p_before, also if the tasks are sorted by an attribute. With
p_after the oldest tasks come first, beginning after this task. The UUID of zeros is before all tasks. The filters
p_initiator, p_schedule, p_handler, p_step, p_error, p_longer_than and p_where have no index. With such a filter the
function reads at most as many tasks that match the other filters as the setting list_reads allows. With p_where it also
reads at most 1,000 bytes of context for each of these tasks on average. A search by attributes reads at most 10,001
entries of an index. A page has p_limit tasks (default 100, at most 10,000). Raises TK422 for an unknown state, a limit
out of range, or an attribute that no template declares. Raises TK422 if p_where is no jsonpath, may cost more than one
walk through a context, or reads only encrypted fields. Raises TK422 if the function may read no further task before the
page is full. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_tasks to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/inspect/private/check_short_id.sql
create or replace function tasker.check_short_id(p_short_id text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(p_short_id ~* '^[0-9a-f]{4,8}$', false) then
    return lower(p_short_id);
  end if;
  raise exception using
    errcode = 'TK422',
    message = format('%s is not a short id', coalesce('"' || left(p_short_id, 40) || '"', 'null')),
    hint    = 'It is the first 4 to 8 digits of a UUID''s last group, in hex.';
end;
$$;

comment on function tasker.check_short_id is
$$Returns a short id in lower case. Raises TK422 if the text is not 4 to 8 hexadecimal digits.

A short id is the first digits of the last group of a UUID, which is random. The first groups of a UUID have the time,
so they are equal in all UUIDs of a minute.$$;
-- <<<

-- >>> db/schema/functions/operate/inspect/private/describe_tasks.sql
create or replace function tasker.describe_tasks(p_task_uuids uuid[])
  returns setof tasker.task_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  return query
  select
    t.task_uuid, n.name, k.name, k.version, t.state, t.complete, t.priority,
    t.total_steps, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps,
    t.requested_at, t.updated_at, t.started_at, t.completed_at, t.deadline, t.processor_uuid,
    t.correlation_id, t.parent_correlation_id, t.initiator, t.source_system, t.reason,
    t.tags, t.headers, null::jsonb, t.parent_step_uuid, t.depth,
    nullif(t.undo, '{}'), tasker.task_is_blocked(t.state, k.on_failure, t.undo), t.erased_at, tasker.task_is_held(t.task_uuid)
  from unnest(p_task_uuids) as u (task_uuid)
  cross join lateral (
    select t.*
      from tasker.tasks as t
     where t.task_uuid = u.task_uuid
    offset 0
  ) as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  where v_bound is null or n.name = any (v_bound)
  order by t.task_uuid desc;
end;
$$;

comment on function tasker.describe_tasks is
$$Returns, of these tasks, the existing tasks that the caller may see, newest first, without their contexts.$$;
-- <<<

-- >>> db/schema/functions/operate/inspect/find_tasks_by_short_id.sql
create or replace function tasker.find_tasks_by_short_id(p_short_id text)
  returns setof tasker.task_details
  language plpgsql
  stable
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
  v_digits text := tasker.check_short_id(p_short_id);
begin
  -- Read only keys, from the newest end of the index. So these digits need no index of their own, which every new task
  -- would have to write.
  return query
  select d.*
    from tasker.describe_tasks(array(
      select t.task_uuid
        from (
          select t.task_uuid
            from tasker.tasks as t
           where t.task_uuid >= tasker.uuid_v7_floor(tasker.clock() - interval '30 days')
           order by t.task_uuid desc
           limit 200000
        ) as t
       where substr(t.task_uuid::text, 25, length(v_digits)) = v_digits
       limit 100
    )) as d
   order by d.task_uuid desc
   limit 10;
end;
$$;

comment on function tasker.find_tasks_by_short_id is
$$Returns at most 10 tasks whose short id begins with these 4 to 8 digits, newest first, without their contexts. The
short id is the beginning of the last group of a task's UUID, which is random. A bound caller finds only tasks of its
own namespaces.

Searches the 200,000 newest tasks of the last 30 days, and reads only their keys. The cost does not depend on the number
of older tasks. To find an older task, use its whole UUID. Raises TK422 for a text that is no short id.$$;

grant execute on function tasker.find_tasks_by_short_id to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/inspect/find_tasks_by_key.sql
create or replace function tasker.find_tasks_by_key(
  p_identity_key  text,
  p_namespace     text  default null,
  p_name          text  default null
)
  returns setof tasker.task_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  if p_identity_key is null then
    raise exception using
      errcode = 'TK422',
      message = 'the identity key is null',
      hint    = 'It is the key that the task was created with.';
  end if;
  perform tasker.check_text_size('identity key', p_identity_key, 1000);

  -- An identity is unique for each name of a template, so each name costs one probe.
  return query
  select d.*
    from tasker.describe_tasks(array(
      select i.task_uuid
        from (
          select distinct n.name as namespace, k.name
            from tasker.named_tasks as k
            join tasker.task_namespaces as n
              on n.task_namespace_uuid = k.task_namespace_uuid
           where (p_namespace is null or n.name = p_namespace)
             and (p_name is null or k.name = p_name)
        ) as k
       cross join lateral (
         select i.task_uuid
           from tasker.task_identities as i
          where i.identity_hash = tasker.task_identity('caller_provided', k.namespace, k.name, null, null, p_identity_key)
         offset 0
       ) as i
    )) as d
   order by d.task_uuid desc;
end;
$$;

comment on function tasker.find_tasks_by_key is
$$Returns the tasks that were created with this identity key, newest first, without their contexts: at most one task for
each name of a template. With p_namespace or p_name, searches only the templates of this namespace or this name. A bound
caller finds only tasks of its own namespaces.

The cost is one probe of the identities for each name of a template. A key that has expired still finds its last task
while the task is kept. Raises TK422 without a key, TK413 for a key that is too long, and TK403 if the caller is bound
to other namespaces than p_namespace.$$;

grant execute on function tasker.find_tasks_by_key to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/inspect/step_details.sql
create or replace view tasker.step_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  ''::text as name,
  ''::text as handler,
  'pending'::tasker.step_state as state,
  ''::text as join_mode,
  0::integer as total_parents,
  0::integer as pending_parents,
  0::integer as satisfied_parents,
  0::integer as claim_no,
  0::integer as attempts,
  0::integer as max_attempts,
  0::integer as lost_count,
  false::boolean as retryable,
  0::integer as priority,
  '-infinity'::timestamptz as created_at,
  null::timestamptz as last_attempted_at,
  null::timestamptz as last_failure_at,
  null::timestamptz as next_retry_at,
  null::timestamptz as lease_until,
  null::timestamptz as processed_at,
  null::uuid as worker_uuid,
  null::text as last_error,
  '{}'::jsonb as inputs,
  null::jsonb as results,
  null::jsonb as checkpoint,
  null::uuid as child_task_uuid,
  null::integer as undo_no,
  null::jsonb as function_state
where false;

comment on view tasker.step_details is
  'Row type: a step as lists show it.';
comment on column tasker.step_details.undo_no is
  'The number of the step that this compensation undoes. Null for steps of the graph.';
comment on column tasker.step_details.function_state is
  'The state with which the durable function began its present round. Null in its first round.';
-- <<<

-- >>> db/schema/functions/operate/inspect/list_steps.sql
create or replace function tasker.list_steps(
  p_task_uuid      uuid,
  p_after_step_no  integer  default null,
  p_limit          integer  default null
)
  returns setof tasker.step_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_page_size(p_limit);
  return query
  select
    s.workflow_step_uuid, s.task_uuid, s.step_no, s.name,
    (select h.name from tasker.named_steps as h where h.named_step_uuid = s.named_step_uuid), s.state, s.join_mode::text,
    s.total_parents, s.pending_parents, s.satisfied_parents, s.claim_no, s.attempts, s.max_attempts,
    s.lost_count, s.retryable, s.priority, s.created_at, s.last_attempted_at, s.last_failure_at,
    s.next_retry_at, s.lease_until, s.processed_at, s.worker_uuid, s.last_error, s.inputs, s.results, s.checkpoint,
    coalesce(s.child_task_uuid, s.child_task_uuids[cardinality(s.child_task_uuids)]), s.undo_no, s.function_state
  from tasker.workflow_steps as s
  where s.task_uuid = p_task_uuid
    and s.step_no > coalesce(p_after_step_no, 0)
  order by s.step_no
  limit p_limit;

  if not found and not exists (select from tasker.tasks as t where t.task_uuid = p_task_uuid) then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
end;
$$;

comment on function tasker.list_steps is
$$Returns the steps of a task by number, with their states, attempts, times and results. With p_limit, returns at most
so many steps. For the next page, pass the number of the last step of this page as p_after_step_no. Raises TK404 if
there is no such task, TK422 for a limit out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_steps
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/template/list_namespaces.sql
create or replace function tasker.list_namespaces()
  returns setof tasker.task_namespaces
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  return query
  select n.*
    from tasker.task_namespaces as n
   where v_bound is null or n.name = any (v_bound)
   order by n.name;
end;
$$;

comment on function tasker.list_namespaces is
$$Returns the namespaces by name, with how each delivers work and whether it is paused. A bound caller sees only its own namespaces.$$;

grant execute on function tasker.list_namespaces
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/kernel/create/step_additions.sql
create or replace view tasker.step_additions as
select
  0::integer as step_no,
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  ''::text as name,
  false::boolean as created
where false;

comment on view tasker.step_additions is
  'Row type: a step that was added to a running task.';
comment on column tasker.step_additions.created is
  'False if the task already had a step of that name.';
-- <<<

-- >>> db/schema/functions/kernel/create/private/normalize_added_steps.sql
create or replace function tasker.normalize_added_steps(p_task_uuid uuid, p_steps jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_places   jsonb;
  v_template jsonb;
begin
  if p_steps is null or jsonb_typeof(p_steps) <> 'array' then
    raise exception using
      errcode = 'TK422',
      message = 'the steps to add are not a JSON array',
      hint    = 'Each element is a step as in a template: [{"name": "ship", "dependencies": ["pack"]}].';
  end if;

  if jsonb_path_exists(p_steps, '$[*] ? (exists (@.limit_units) || exists (@.limit_hold) || exists (@.limit_bound) || exists (@.limits))') then
    raise exception using
      errcode = 'TK422',
      message = 'a step that is added has one place of one limit',
      hint    = 'limit_units, limit_hold, limit_bound and limits are for steps of templates: add a step that starts a task of such a template.';
  end if;
  v_places := tasker.step_places(p_steps);
  -- Check the new steps together with the task's steps, as one template. The task's steps come last, so that the place
  -- of a problem is its place in the caller's array.
  v_template := jsonb_build_object('namespace', 'task', 'name', 'task', 'steps', p_steps || (
    select coalesce(jsonb_agg(jsonb_build_object('name', s.name) order by s.step_no), '[]')
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.map_no is null
       and not v_places ? s.name
  ));
  perform tasker.check_task_template(v_template);

  if jsonb_path_exists(p_steps, '$[*].dependencies[*].on ? (@ != "complete")') then
    raise exception using
      errcode = 'TK422',
      message = 'a step that is added to a task cannot wait for a failure',
      hint    = 'Declare the step in the template, or let an added step check results.';
  end if;

  return (
    select coalesce(jsonb_agg(e.value order by e.no), '[]')
      from jsonb_array_elements(tasker.normalize_template(v_template) -> 'steps') with ordinality as e (value, no)
     where e.no <= jsonb_array_length(p_steps)
  );
end;
$$;

comment on function tasker.normalize_added_steps is
$$Returns steps to add to a task in the normal form of templates. The steps may depend on each other and on steps of the task. Raises TK422 as registration does.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/insert_added_steps.sql
create or replace function tasker.insert_added_steps(p_task_uuid uuid, p_last integer, p_steps jsonb)
  returns void
  language plpgsql
as $$
declare
  v_namespace text    := tasker.namespace_of_task(p_task_uuid);
  v_attempts  integer := tasker.setting_integer('max_attempts');
begin
  insert into tasker.workflow_steps (
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, join_mode, max_attempts, retryable, priority, timeout_seconds,
    backoff_base_seconds, backoff_multiplier, max_backoff_seconds, inputs, await, for_each, limit_no, limit_key, compensate_uuid, effects
  )
  select
    p_task_uuid,
    p_last + e.no,
    tasker.step_uuid(p_task_uuid, p_last + e.no::integer),
    h.named_step_uuid,
    e.value ->> 'name',
    e.value ->> 'join',
    coalesce((e.value #>> '{retry,max_attempts}')::integer, case when e.value ? 'await' or e.value ? 'task' and not e.value ? 'retry' then 1 end, v_attempts),
    coalesce((e.value #>> '{retry,retryable}')::boolean, false),
    coalesce((e.value ->> 'priority')::integer, 0) + t.priority,
    (e.value ->> 'timeout_seconds')::integer,
    (e.value #>> '{retry,base_seconds}')::numeric,
    case e.value #>> '{retry,backoff}' when 'constant' then 1 else (e.value #>> '{retry,multiplier}')::numeric end,
    (e.value #>> '{retry,max_seconds}')::integer,
    coalesce(e.value -> 'initialization', '{}'),
    tasker.await_of(e.value),
    tasker.for_each_of(e.value),
    l.limit_no,
    case when l.limit_no is not null then
      tasker.limit_key_of((e.value ->> 'limit_key')::jsonpath, t.context, coalesce(e.value -> 'initialization', '{}'))
    end,
    (select c.named_step_uuid from tasker.named_steps as c where c.name = e.value ->> 'compensate'),
    tasker.step_effects(e.value)
  from jsonb_array_elements(p_steps) with ordinality as e (value, no)
  join tasker.named_steps as h
    on h.name = tasker.handler_of(e.value)
  join tasker.tasks as t
    on t.task_uuid = p_task_uuid
  left join tasker.limits as l
    on l.name = e.value ->> 'limit'
   and l.namespace = v_namespace;
end;
$$;

comment on function tasker.insert_added_steps is
$$Inserts steps in normal form with numbers above p_last. The task has no steps of these names yet. The caller holds the task's lock and has inserted their handlers and limits.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/insert_added_edges.sql
create or replace function tasker.insert_added_edges(p_task_uuid uuid, p_last integer, p_steps jsonb, p_numbers jsonb)
  returns void
  language plpgsql
as $$
begin
  insert into tasker.added_step_edges (task_uuid, from_step_no, to_step_no, condition)
  select
    p_task_uuid,
    (p_numbers ->> coalesce(d.value ->> 'step', d.value #>> '{}'))::integer,
    p_last + e.no,
    (d.value ->> 'when')::jsonpath
  from jsonb_array_elements(p_steps) with ordinality as e (value, no)
  cross join jsonb_array_elements(e.value -> 'dependencies') as d (value);
end;
$$;

comment on function tasker.insert_added_edges is
$$Inserts the edges that lead to new steps. The steps are in normal form and have been inserted with numbers above p_last. p_numbers has the number of each step of the task by its name.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/count_parents.sql
create or replace function tasker.count_parents(p_task_uuid uuid, p_after integer)
  returns void
  language plpgsql
as $$
begin
  update tasker.workflow_steps as s
     set total_parents     = x.total,
         pending_parents   = x.pending,
         satisfied_parents = x.satisfied
    from (
      select
        e.task_uuid,
        e.to_step_no,
        count(*)::integer as total,
        count(*) filter (where not d.settles_dependencies)::integer as pending,
        count(*) filter (
          where case when e.outcome is not null then tasker.outcome_met(e.outcome, p.task_uuid, p.step_no, p.state)
            else d.satisfies_dependencies
              and tasker.condition_holds(e.condition, tasker.edge_result(e.condition, p.results, p.expansion, p.task_uuid, p.step_no))
          end
        )::integer as satisfied
      from tasker.workflow_step_edges as e
     cross join lateral (
       select p.*
         from tasker.workflow_steps as p
        where p.task_uuid = e.task_uuid
          and p.step_no = e.from_step_no
       offset 0
     ) as p
     cross join lateral (
       select d.settles_dependencies, d.satisfies_dependencies
         from tasker.step_states as d
        where d.state = p.state
       offset 0
     ) as d
      where e.task_uuid = p_task_uuid
        and e.to_step_no > p_after
      group by e.task_uuid, e.to_step_no
    ) as x
   -- Omit the condition on the range of the tasks, which would let the planner read all steps of the task for each
   -- step.
   where s.task_uuid = any (array[x.task_uuid])
     and s.step_no = x.to_step_no
     and (s.total_parents, s.pending_parents, s.satisfied_parents) <> (x.total, x.pending, x.satisfied);
end;
$$;

comment on function tasker.count_parents is
$$Counts again the parents of those steps of a task whose numbers are above p_after. A parent that has settled counts as settled. The caller holds the task's lock, or no other transaction sees the task.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/recount_parents.sql
create or replace function tasker.recount_parents(p_task_uuid uuid, p_step_nos integer[])
  returns void
  language plpgsql
as $$
begin
  update tasker.workflow_steps as s
     set total_parents     = x.total,
         pending_parents   = x.pending,
         satisfied_parents = x.satisfied
    from (
      select
        u.step_no,
        count(e.from_step_no)::integer as total,
        count(*) filter (where not e.settles)::integer as pending,
        count(*) filter (where e.satisfies)::integer as satisfied
      from unnest(p_step_nos) as u (step_no)
      left join lateral (
        select
          e.from_step_no, d.settles_dependencies as settles,
          case when e.outcome is not null then tasker.outcome_met(e.outcome, p.task_uuid, p.step_no, p.state)
            else d.satisfies_dependencies
              and tasker.condition_holds(e.condition, tasker.edge_result(e.condition, p.results, p.expansion, p.task_uuid, p.step_no))
          end as satisfies
          from tasker.workflow_step_edges as e
         cross join lateral (
           select p.*
             from tasker.workflow_steps as p
            where p.task_uuid = e.task_uuid
              and p.step_no = e.from_step_no
           offset 0
         ) as p
         cross join lateral (
           select d.settles_dependencies, d.satisfies_dependencies
             from tasker.step_states as d
            where d.state = p.state
           offset 0
         ) as d
         where e.task_uuid = p_task_uuid
           and e.to_step_no = u.step_no
        offset 0
      ) as e
        on true
      group by u.step_no
    ) as x
   -- Omit the condition on the range of the tasks, which would let the planner read all steps of the task for each
   -- step.
   where s.task_uuid = any (array[p_task_uuid])
     and s.step_no = x.step_no
     and (s.total_parents, s.pending_parents, s.satisfied_parents) <> (x.total, x.pending, x.satisfied);
end;
$$;

comment on function tasker.recount_parents is
$$Counts again the parents of these steps of a task, including steps that have lost all parents. A parent that has settled counts as settled. tasker.count_parents does the same for the steps above a number. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/add_steps.sql
create or replace function tasker.add_steps(p_task_uuid uuid, p_steps jsonb)
  returns setof tasker.step_additions
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_steps   jsonb;
  v_new     jsonb;
  v_numbers jsonb;
  v_last    integer;
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_depth('array of steps', p_steps);
  perform tasker.lock_open_task(p_task_uuid);
  v_steps := tasker.normalize_added_steps(p_task_uuid, p_steps);
  perform tasker.check_bound_namespaces(array(
    select distinct s.value #>> '{task,namespace}' from jsonb_array_elements(v_steps) as s (value)
  ));

  select coalesce(max(s.step_no), 0), coalesce(jsonb_object_agg(s.name, s.step_no order by s.step_no), '{}')
    into v_last, v_numbers
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid;
  select coalesce(jsonb_agg(e.value order by e.no), '[]')
    into v_new
    from jsonb_array_elements(v_steps) with ordinality as e (value, no)
   where not v_numbers ? (e.value ->> 'name');

  if v_new <> '[]' then
    perform tasker.insert_handlers(v_new);
    perform tasker.register_steps(tasker.namespace_of_task(p_task_uuid), v_new);
    perform tasker.insert_added_steps(p_task_uuid, v_last, v_new);
    perform tasker.steps_added(p_task_uuid, v_last);
    select v_numbers || jsonb_object_agg(e.value ->> 'name', v_last + e.no)
      into v_numbers
      from jsonb_array_elements(v_new) with ordinality as e (value, no);
    perform tasker.insert_added_edges(p_task_uuid, v_last, v_new, v_numbers);
    perform tasker.count_parents(p_task_uuid, v_last);
    if jsonb_path_exists(v_new, '$[*].compensate') then
      perform tasker.check_undo_room(p_task_uuid);
    end if;
    update tasker.tasks as t
       set total_steps = t.total_steps + jsonb_array_length(v_new),
           open_steps  = t.open_steps + jsonb_array_length(v_new),
           undo        = coalesce(t.undo, case when jsonb_path_exists(v_new, '$[*].compensate') then '{}'::jsonb end),
           updated_at  = greatest(t.updated_at, tasker.write_clock())
     where t.task_uuid = p_task_uuid;
    perform tasker.advance_later(p_task_uuid);
  end if;

  return query
  select n.step_no, tasker.step_uuid(p_task_uuid, n.step_no), e.value ->> 'name', n.step_no > v_last
    from jsonb_array_elements(v_steps) with ordinality as e (value, no)
   cross join lateral (
     select (v_numbers ->> (e.value ->> 'name'))::integer as step_no
   ) as n
   order by e.no;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.add_steps is
$$Adds steps to a running task, written as in a template. The steps may depend on each other and on steps of the task. Returns a row for each step, in order.

Idempotent by name: a step that already exists does not change, and its row has created = false. The call adds all new steps or none. Parents that have already settled count at once. An orchestrator or a claim then enqueues the ready steps. The cost is linear in the number of the task's steps.

Locks the task. Raises TK404 if there is no such task, TK409 if it has ended, TK422 if a step is invalid (the error names the field) or the task would have more than 65,535 steps, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.add_steps
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001100', 'functions/doors/moves/private/moved b95141858b84807e
functions/doors/requests/private/admit_contexts 6ed1b2469ef6ad8f
functions/doors/requests/private/admit_payload 1c65dc58c32db083
functions/doors/requests/private/admit_request 819aa2fc0f91ed95
functions/doors/requests/private/admit_tasks e20a508a9716fc31
functions/doors/requests/private/identity_context 6f82eca05bffb109
functions/doors/requests/private/request_made 4c77e6fbcdca8c95
functions/doors/requests/private/same_context c6da36eba47d9cb0
functions/doors/tasks/private/context_replaced 11faf721b68f8b5d
functions/doors/tasks/private/contexts_given 9202b43194b17e55
functions/doors/tasks/private/results_taken 2d4d3c134d16e204
functions/features/attributes/get_task_attributes fa40e15041788fea
functions/features/attributes/list_attributes b070e563c9020cf3
functions/features/attributes/private/attribute_condition e05896d2a128d638
functions/features/attributes/private/attribute_cursor 646895c8ad724a9c
functions/features/attributes/private/attribute_filters 9f10b79b034511ab
functions/features/attributes/private/attribute_moves 3cfb026c91bdd950
functions/features/attributes/private/attribute_of 2cd30629f06946a2
functions/features/attributes/private/context_attributes 5706a160f781a943
functions/features/attributes/private/forget_attributes 8146ce37a5f9eff3
functions/features/attributes/private/renew_attributes b3695e7e458478ab
functions/features/attributes/private/search_attributes e9ac78767b5e8950
functions/features/attributes/private/searched_attributes 4a98fa53ab7d7ec3
functions/features/attributes/private/taken_attributes 57cdc4f740429e8a
functions/features/attributes/private/write_attributes 2370938d901bde4f
functions/features/inputs/private/check_inputs 54faa6ea6de3f4b3
functions/features/limits/private/announce_limits d20a7ada64f4bf7c
functions/features/limits/private/await_limit_key 95245e5fd410c621
functions/features/limits/private/hold_limits db7eeb2af064e5c1
functions/features/limits/private/input_bound dfafc8e6c497e1b0
functions/features/limits/private/insert_limit_places 99bfd6ad85438458
functions/features/limits/private/limit_moves 436f1b00f9ec8a30
functions/features/limits/private/limit_place_moves f19ec7692d7068df
functions/features/limits/private/open_limit_key a968d478d37f30b6
functions/features/limits/private/release_limits 420ed34ab7cbd107
functions/features/limits/private/replace_input_bounds 2a019126a79bcf49
functions/features/limits/private/set_input_bounds e21439a4320ccd1f
functions/features/policies/private/charge_throttle b333f201f8c05e84
functions/features/policies/private/check_creation_policy 331690d5d9d43093
functions/features/policies/private/debounce_request fff827ef10bc7b1c
functions/features/policies/private/forget_creation_policies 9cc84f9a43907b4b
functions/features/policies/private/note_debounced f7e2d990aa8e2127
functions/features/policies/private/queue_throttled 8ac5a91aecb2e4bb
functions/features/policies/private/refuse_throttled d905b0f775349e62
functions/features/policies/private/supersede_debounced 24772fc14a02b4ea
functions/features/sealing/private/check_sealed_moves 0a1f4fe8060bcd8c
functions/kernel/create/add_steps 5d82976e86ba6da1
functions/kernel/create/create_task 88d41f715b548e16
functions/kernel/create/create_tasks c0b32aa6d1dfd76b
functions/kernel/create/private/accept_task_uuids b558eced032252c6
functions/kernel/create/private/check_identity_contexts 3aa57e2bafb090ab
functions/kernel/create/private/check_task_arguments deb803bbd7942ce9
functions/kernel/create/private/check_task_requests 2df7487b77fb4776
functions/kernel/create/private/claim_identities df4edb95b107aa85
functions/kernel/create/private/insert_added_edges bfaceca46ca8ae58
functions/kernel/create/private/insert_added_steps 7cebd752b7676081
functions/kernel/create/private/insert_steps 8c03f8f2a57a3344
functions/kernel/create/private/insert_tasks 76884ab01e8b9b7b
functions/kernel/create/private/log_new_tasks 657961b029b8fb2e
functions/kernel/create/private/make_task b1d920234385d11e
functions/kernel/create/private/make_tasks e6ffa64980cf00e1
functions/kernel/create/private/normalize_added_steps 98a4fac954d04076
functions/kernel/create/private/root_moves a4c9a1f1b53e8b1b
functions/kernel/create/private/roots_born 5b10889b027a1700
functions/kernel/create/private/roots_to_claim 9b7cf04e8e358d9a
functions/kernel/create/private/schedule_new_tasks 9a4ddc53073efc9c
functions/kernel/create/private/task_identities 7c45e42462f89140
functions/kernel/create/private/task_identity 9e07251065b332a0
functions/kernel/create/private/task_prototype c3f1122adb3c2426
functions/kernel/graph/private/count_parents d0707165a71bd56d
functions/kernel/graph/private/recount_parents 1123dcd8d5bd24fd
functions/kernel/ident/private/check_task_uuids_free 464087541ed79167
functions/kernel/template/list_namespaces 3d4d3faf96ddf574
functions/kernel/template/private/find_template ff5406001b4ddeb4
functions/operate/inspect/find_tasks_by_key 9704031b6d5ce85d
functions/operate/inspect/find_tasks_by_short_id 092819c568cc1857
functions/operate/inspect/get_task b48fe5997c505378
functions/operate/inspect/list_steps 5661cce11c174443
functions/operate/inspect/list_tasks 0cb3e3bc4a55a6dc
functions/operate/inspect/private/check_short_id 6816e4b9754e8ce1
functions/operate/inspect/private/check_where b2c3d96fa28d9e53
functions/operate/inspect/private/context_matches c17505d9ca060250
functions/operate/inspect/private/describe_tasks e9cc11df1a98a002
functions/operate/inspect/private/templates_named bd9faf861887f739
rows/features/attributes/attribute_details dcf15ed7a10b4c77
rows/features/attributes/attribute_finds 4f60205c8f80dcdd
rows/features/attributes/attribute_values 614a6438272095c8
rows/kernel/create/step_additions 77212a292a36c008
rows/kernel/create/task_creations 340e4ee479be8fc9
rows/kernel/create/task_requests 803d3705f3730273
rows/kernel/template/creation_templates cdef60633d7fea18
rows/operate/inspect/step_details 752432204dd6d537
rows/operate/inspect/task_details acb826a66d372d87
tables/features/policies/creation_throttles 5d049dcb0bd852be
tables/features/policies/task_debounces b617385acac1108b
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001100';

drop function tasker.add_steps;
drop function tasker.recount_parents;
drop function tasker.count_parents;
drop function tasker.insert_added_edges;
drop function tasker.insert_added_steps;
drop function tasker.normalize_added_steps;
drop view tasker.step_additions;
drop function tasker.list_namespaces;
drop function tasker.list_steps;
drop view tasker.step_details;
drop function tasker.find_tasks_by_key;
drop function tasker.find_tasks_by_short_id;
drop function tasker.describe_tasks;
drop function tasker.check_short_id;
drop function tasker.list_tasks;
drop function tasker.context_matches;
drop function tasker.check_where;
drop function tasker.list_attributes;
drop function tasker.get_task_attributes;
drop function tasker.search_attributes;
drop function tasker.attribute_cursor;
drop function tasker.attribute_condition;
drop function tasker.searched_attributes;
drop function tasker.attribute_filters;
drop view tasker.attribute_details;
drop view tasker.attribute_values;
drop view tasker.attribute_finds;
drop function tasker.templates_named;
drop function tasker.get_task;
drop view tasker.task_details;
drop function tasker.create_task;
drop function tasker.forget_creation_policies;
drop function tasker.create_tasks;
drop function tasker.make_task;
drop function tasker.make_tasks;
drop function tasker.same_context;
drop function tasker.identity_context;
drop function tasker.admit_payload;
drop function tasker.admit_tasks;
drop function tasker.request_made;
drop function tasker.admit_request;
drop function tasker.admit_contexts;
drop function tasker.check_inputs;
drop function tasker.charge_throttle;
drop function tasker.refuse_throttled;
drop function tasker.queue_throttled;
drop function tasker.note_debounced;
drop function tasker.debounce_request;
drop function tasker.supersede_debounced;
drop function tasker.check_creation_policy;
drop table tasker.creation_throttles;
drop table tasker.task_debounces;
drop function tasker.check_identity_contexts;
drop function tasker.schedule_new_tasks;
drop function tasker.log_new_tasks;
drop function tasker.insert_steps;
drop function tasker.roots_born;
drop function tasker.root_moves;
drop function tasker.context_replaced;
drop function tasker.results_taken;
drop function tasker.contexts_given;
drop function tasker.moved;
drop function tasker.forget_attributes;
drop function tasker.renew_attributes;
drop function tasker.taken_attributes;
drop function tasker.context_attributes;
drop function tasker.attribute_moves;
drop function tasker.write_attributes;
drop function tasker.attribute_of;
drop function tasker.check_sealed_moves;
drop function tasker.set_input_bounds;
drop function tasker.replace_input_bounds;
drop function tasker.input_bound;
drop function tasker.open_limit_key;
drop function tasker.limit_place_moves;
drop function tasker.insert_limit_places;
drop function tasker.limit_moves;
drop function tasker.await_limit_key;
drop function tasker.release_limits;
drop function tasker.hold_limits;
drop function tasker.announce_limits;
drop function tasker.roots_to_claim;
drop function tasker.insert_tasks;
drop function tasker.task_identities;
drop function tasker.task_prototype;
drop function tasker.check_task_arguments;
drop function tasker.check_task_uuids_free;
drop function tasker.accept_task_uuids;
drop function tasker.claim_identities;
drop function tasker.task_identity;
drop function tasker.check_task_requests;
drop function tasker.find_template;
drop view tasker.creation_templates;
drop view tasker.task_requests;
drop view tasker.task_creations;

reset role;
