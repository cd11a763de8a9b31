-- limits: how many steps that name a limit run at once, and how many start in a time
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/rows/features/limits/limit_details.sql
create or replace view tasker.limit_details as
select
  ''::text as namespace,
  ''::text as name,
  null::integer as concurrency,
  null::integer as rate,
  0::integer as per_seconds,
  0::integer as burst,
  0::bigint as in_use,
  0::bigint as waiting,
  0::bigint as keys,
  0::double precision as oldest_seconds,
  '{}'::text[] as handlers,
  '-infinity'::timestamptz as updated_at,
  ''::text as updated_by
where false;

comment on view tasker.limit_details is
  'Row type: a limit and the steps in it.';
comment on column tasker.limit_details.in_use is
  'The number of claimed steps of all keys. It includes steps whose lease has ended but which no other claim has taken yet.';
comment on column tasker.limit_details.waiting is
  'The number of enqueued steps of all keys.';
comment on column tasker.limit_details.keys is
  'The number of keys with a step that waits or runs.';
comment on column tasker.limit_details.oldest_seconds is
  'The number of seconds that the oldest waiting step has waited. 0 if no step waits.';
-- <<<

-- >>> db/schema/rows/features/limits/limit_key_details.sql
create or replace view tasker.limit_key_details as
select
  ''::text as limit_key,
  0::bigint as in_use,
  0::bigint as waiting,
  0::double precision as oldest_seconds,
  null::timestamptz as next_start_at,
  null::integer as concurrency,
  null::integer as rate,
  0::integer as per_seconds,
  0::integer as burst,
  false::boolean as own_bounds,
  null::timestamptz as bounded_at,
  null::text as bounded_by,
  null::integer as input_bound
where false;

comment on view tasker.limit_key_details is
  'Row type: a key of a limit, its bounds, and its steps.';
comment on column tasker.limit_key_details.next_start_at is
  'The time when the rate allows the next start. Null if a step may start now, or if the key has no rate.';
comment on column tasker.limit_key_details.concurrency is
  'The number of the key''s steps that may run at once. Null means any number.';
comment on column tasker.limit_key_details.rate is
  'The number of the key''s steps that may start in per_seconds. Null means any number.';
comment on column tasker.limit_key_details.own_bounds is
  'Whether tasker.set_limit_key gave the key bounds of its own. If false, the bounds of the limit apply, but input_bound replaces the concurrency if it is not null.';
comment on column tasker.limit_key_details.bounded_at is
  'The time when the key''s own bounds were last changed. bounded_by names the caller that changed them. Null if the key has no bounds of its own.';
comment on column tasker.limit_key_details.input_bound is
  'The bound that the context of a task gave the key (limit_bound). This bound does not apply if the key has bounds of its own, or if the limit''s concurrency is 0. Null if no context gave the key a bound.';
-- <<<

-- >>> db/schema/functions/features/limits/private/raise_limit_not_found.sql
create or replace function tasker.raise_limit_not_found(p_namespace text, p_name text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK404',
    message = case
      when p_namespace is null then 'the namespace of the limit is null'
      when p_name is null then 'the name of the limit is null'
      else format('limit "%s/%s" does not exist', left(p_namespace, 100), left(p_name, 128))
    end,
    hint    = 'tasker.list_limits() lists limits; tasker.set_limit() makes one.';
end;
$$;

comment on function tasker.raise_limit_not_found is
$$Raises TK404 for a limit that does not exist.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/describe_limits.sql
create or replace function tasker.describe_limits(p_namespaces text[])
  returns setof tasker.limit_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    l.namespace, l.name, l.concurrency, l.rate, l.per_seconds, l.burst, q.in_use + (
      select coalesce(sum(h.held_units), 0)
        from tasker.limit_places as h
       where h.limit_no = l.limit_no
         and h.held_units > 0
    ), q.waiting, q.keys,
    coalesce(greatest(extract(epoch from tasker.clock() - q.oldest), 0), 0)::double precision,
    array(select h.handler from tasker.limit_handlers as h where h.limit_no = l.limit_no order by h.handler limit 1000),
    l.updated_at, l.updated_by
  from tasker.limits as l
  cross join lateral (
    select
      count(*) filter (where q.lane = 'running') as in_use,
      count(*) filter (where q.lane = 'limited') as waiting,
      count(distinct q.limit_key) filter (where q.lane in ('running', 'limited')) as keys,
      min(q.visible_at) filter (where q.lane = 'limited') as oldest
      from tasker.step_queue as q
     where q.limit_no = l.limit_no
    offset 0
  ) as q
  where p_namespaces is null or l.namespace = any (p_namespaces)
  order by l.namespace, l.name;
end;
$$;

comment on function tasker.describe_limits is
$$Returns the limits of these namespaces (null: all namespaces) with the numbers of their waiting and running steps.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/describe_limit_keys.sql
create or replace function tasker.describe_limit_keys(p_limit_no integer, p_limit_key text, p_limit integer)
  returns setof tasker.limit_key_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  select
    k.limit_key, k.in_use + (
      select coalesce(sum(h.held_units), 0)
        from tasker.limit_places as h
       where h.limit_no = p_limit_no
         and h.limit_key = k.limit_key
         and h.held_units > 0
    ), k.waiting,
    coalesce(greatest(extract(epoch from tasker.clock() - k.oldest), 0), 0)::double precision,
    tasker.next_limit_start(p_limit_no, k.limit_key),
    l.concurrency, l.rate, l.per_seconds, l.burst, b.limit_no is not null, b.updated_at, b.updated_by,
    (
      select i.concurrency
        from tasker.limit_input_bounds as i
       where i.limit_no = p_limit_no
         and i.limit_key = k.limit_key
       order by i.bound_no desc
       limit 1
    )
  from (
    select
      s.limit_key,
      count(*) filter (where s.lane = 'running') as in_use,
      count(*) filter (where s.lane = 'limited') as waiting,
      min(s.visible_at) filter (where s.lane = 'limited') as oldest
      from (
        select q.limit_key, q.lane, q.visible_at
          from tasker.step_queue as q
         where q.limit_no = p_limit_no
           and q.lane in ('running', 'limited')
           and (p_limit_key is null or q.limit_key = p_limit_key)
        union all
        select b.limit_key, null, null
          from tasker.limit_bounds as b
         where b.limit_no = p_limit_no
           and (p_limit_key is null or b.limit_key = p_limit_key)
      ) as s
     group by s.limit_key
     order by waiting desc, in_use desc, s.limit_key
     limit p_limit
  ) as k
  cross join lateral tasker.key_limit(p_limit_no, k.limit_key) as l
  left join lateral (
    select b.limit_no, b.updated_at, b.updated_by
      from tasker.limit_bounds as b
     where b.limit_no = p_limit_no
       and b.limit_key = k.limit_key
    offset 0
  ) as b on true
  order by k.waiting desc, k.in_use desc, k.limit_key;
end;
$$;

comment on function tasker.describe_limit_keys is
$$Returns at most p_limit keys of a limit: keys whose steps wait or run, and keys with bounds of their own. The keys with the longest lines of waiting steps come first. With p_limit_key, returns only this key, if it has such steps or bounds.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/check_limit_bounds.sql
create or replace function tasker.check_limit_bounds(
  p_name         text,
  p_concurrency  integer,
  p_rate         integer,
  p_per_seconds  integer,
  p_burst        integer
)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_per integer := coalesce(p_per_seconds, 1);
  v_one integer := coalesce(p_burst, 1);
begin
  if p_concurrency not between 0 and 1000000 or p_rate not between 1 and 1000000
     or v_per not between 1 and 31536000 or v_one not between 1 and 1000000
     or p_rate is null and num_nonnulls(p_per_seconds, p_burst) > 0
     -- Otherwise paid_until could exceed the range of timestamps when the rate is charged ahead.
     or v_one::bigint * v_per / p_rate > 31536000000 then
    raise exception using
      errcode = 'TK422',
      message = format('limit "%s" cannot have these bounds', p_name),
      detail  = format(
        'concurrency %s, rate %s, per seconds %s, burst %s', coalesce(p_concurrency::text, 'null'),
        coalesce(p_rate::text, 'null'), coalesce(p_per_seconds::text, 'null'), coalesce(p_burst::text, 'null')
      ),
      hint    = 'Use a concurrency from 0 to 1000000, a rate and a burst from 1 to 1000000, seconds from 1 to 31536000; seconds and burst need a rate, which allows the burst in at most 1,000 years.';
  end if;
end;
$$;

comment on function tasker.check_limit_bounds is
$$Raises TK422 for bounds that no limit can have.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/burst_of.sql
create or replace function tasker.burst_of(p_rate integer, p_per_seconds integer, p_burst integer)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  -- With a burst of 1, each claim under a fast rate would get only one step.
  select coalesce(p_burst, greatest(1, p_rate / (10 * greatest(coalesce(p_per_seconds, 1), 1)::bigint))::integer);
end;

comment on function tasker.burst_of is
$$Returns the burst of a rate: the given burst, or by default the number of starts in a tenth of a second, at least 1.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/lock_limit.sql
create or replace function tasker.lock_limit(p_namespace text, p_name text)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit_no integer;
begin
  select l.limit_no
    into v_limit_no
    from tasker.limits as l
   where l.namespace = p_namespace
     and l.name = p_name
     for key share;
  if not found then
    perform tasker.raise_limit_not_found(p_namespace, p_name);
  end if;
  return v_limit_no;
end;
$$;

comment on function tasker.lock_limit is
$$Locks a limit's row for key share, so that the limit is not deleted while one of its keys changes. Returns the limit's number. Raises TK404 if there is no such limit.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/forget_limit_keys.sql
create or replace function tasker.forget_limit_keys(p_count integer)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now  timestamptz := tasker.clock();
  v_held integer[];
  v_done integer;
begin
  -- A deleted key loses no data, because running steps are counted in the queue; a claim that needs the key inserts it
  -- again. Lock the limits as insert_limit_keys does, so that no claim waits for a key that is being deleted.
  v_held := array(select l.limit_no from tasker.limits as l for no key update skip locked);
  delete from tasker.limit_keys as k
   where (k.limit_no, k.limit_key) in (
     select i.limit_no, i.limit_key
       from tasker.limit_keys as i
      where (i.limit_no = any (v_held) or not exists (select from tasker.limits as l where l.limit_no = i.limit_no))
        and coalesce(i.paid_until <= v_now, true)
        and not exists (
          select from tasker.limit_lines as s where s.limit_no = i.limit_no and s.limit_key = i.limit_key
        )
      limit p_count
        for update skip locked
   );
  get diagnostics v_done = row_count;
  delete from tasker.limit_input_bounds as b
   where (b.limit_no, b.limit_key, b.bound_no) in (
     select i.limit_no, i.limit_key, i.bound_no
       from tasker.limit_input_bounds as i
      where i.set_at < v_now - interval '1 year'
      limit p_count
        for update skip locked
   );
  return v_done;
end;
$$;

comment on function tasker.forget_limit_keys is
$$Deletes at most p_count keys of limits for which no step waits and whose rate allows a start now, and at most p_count bounds that the context of no task has set for a year. Returns the number of deleted keys.$$;
-- <<<

-- >>> db/schema/functions/features/limits/private/changed_limit_key.sql
create or replace function tasker.changed_limit_key(p_task tasker.tasks, p_context jsonb)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select format('Step "%s" has the key "%s" in its limit, not "%s".', s.name, left(k.was, 100), left(k.becomes, 100))
      from tasker.workflow_steps as s
      join tasker.named_tasks_named_steps as n
        on n.named_task_uuid = p_task.named_task_uuid
       and n.step_no = coalesce(s.map_no, s.step_no)
     cross join lateral (
       select n.limit_key as path
       union all
       select (e.value ->> 'limit_key')::jsonpath from jsonb_array_elements(n.limit_needs -> 'limits') as e (value)
     ) as p
     cross join lateral (
       select
         tasker.limit_key_of(p.path, p_task.context, s.inputs) as was,
         tasker.limit_key_of(p.path, p_context, s.inputs) as becomes
     ) as k
     where s.task_uuid = p_task.task_uuid
       and s.limit_no is not null
       and s.state not in ('complete', 'resolved_manually', 'cancelled')
       and k.was <> k.becomes
     order by s.step_no
     limit 1
  );
end;
$$;

comment on function tasker.changed_limit_key is
$$Returns a sentence about the first open step that would have another key in a limit if the task had this context, or null if there is no such step.$$;
-- <<<

-- >>> db/schema/functions/features/limits/set_limit.sql
create or replace function tasker.set_limit(
  p_namespace    text,
  p_name         text,
  p_concurrency  integer  default null,
  p_rate         integer  default null,
  p_per_seconds  integer  default null,
  p_burst        integer  default null,
  p_actor        text     default null,
  p_reason       text     default null
)
  returns setof tasker.limit_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := tasker.clock();
  v_per integer     := coalesce(p_per_seconds, 1);
  v_one integer     := tasker.burst_of(p_rate, p_per_seconds, p_burst);
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  if p_name is null or p_name !~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$' then
    raise exception using
      errcode = 'TK422',
      message = format('%s is not a valid limit name', coalesce('"' || left(p_name, 100) || '"', 'null')),
      hint    = 'A name is a letter or digit, then at most 127 of these, underscores, dots, colons and hyphens.';
  end if;
  perform tasker.check_limit_bounds(p_name, p_concurrency, p_rate, p_per_seconds, p_burst);
  perform tasker.check_namespace_exists(p_namespace);

  insert into tasker.limits (namespace, name, created_by, updated_by)
  values (p_namespace, p_name, tasker.actor_name(p_actor), tasker.actor_name(p_actor))
  on conflict (namespace, name) do nothing;
  if found then
    perform tasker.check_limit_count(p_namespace);
  end if;
  update tasker.limits as l
     set concurrency = p_concurrency,
         rate        = p_rate,
         per_seconds = v_per,
         burst       = v_one,
         version     = l.version + 1,
         updated_at  = v_now,
         updated_by  = tasker.actor_name(p_actor)
   where l.namespace = p_namespace
     and l.name = p_name
     and (l.concurrency, l.rate, l.per_seconds, l.burst) is distinct from (p_concurrency, p_rate, v_per, v_one);
  if found then
    perform tasker.notify_steps_ready(p_namespace);
  end if;
  return query
  select d.* from tasker.describe_limits(array[p_namespace]) as d where d.name = p_name;
end;
$$;

comment on function tasker.set_limit is
$$Sets the bounds of a limit: how many steps that name the limit may run at once (p_concurrency, null means any number, 0 stops them), and how many of these steps may start in p_per_seconds (p_rate, null means any number). The bounds apply to each key of the limit separately, except to keys with bounds from set_limit_key. A bound from the context of a task (limit_bound) replaces p_concurrency for its key, unless p_concurrency is 0. Replaces all bounds of the limit, or creates the limit. Returns the limit.

The new bounds apply from the next claim on. Lower bounds interrupt no running step, but no step starts until fewer steps run than p_concurrency. p_per_seconds is 1 by default. The starts of a rate are spaced evenly, except that p_burst steps may start at once after a pause. The default of p_burst is the number of starts in a tenth of a second, at least 1. So at most p_rate + p_burst - 1 steps start in any period of p_per_seconds.

Idempotent. p_actor is the caller's role by default. Locks the limit's row. Raises TK404 if there is no such namespace, TK422 for a bound out of range or a malformed name, TK413 if the actor's name is too long or the namespace has 1,000 limits, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.set_limit to tasker_operator;
-- <<<

-- >>> db/schema/functions/features/limits/drop_limit.sql
create or replace function tasker.drop_limit(
  p_namespace  text,
  p_name       text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit tasker.limits;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  select l.*
    into v_limit
    from tasker.limits as l
   where l.namespace = p_namespace
     and l.name = p_name
     for update;
  if not found then
    perform tasker.raise_limit_not_found(p_namespace, p_name);
  end if;

  delete from tasker.limit_bounds as b where b.limit_no = v_limit.limit_no;
  delete from tasker.limit_input_bounds as i where i.limit_no = v_limit.limit_no;
  if not exists (select from tasker.limit_handlers as h where h.limit_no = v_limit.limit_no) then
    delete from tasker.limits as l where l.limit_no = v_limit.limit_no;
    return true;
  end if;
  update tasker.limits as l
     set concurrency = null,
         rate        = null,
         per_seconds = 1,
         burst       = 1,
         version     = l.version + 1,
         updated_at  = tasker.clock(),
         updated_by  = tasker.actor_name(p_actor)
   where l.limit_no = v_limit.limit_no;
  perform tasker.notify_steps_ready(p_namespace);
  return false;
end;
$$;

comment on function tasker.drop_limit is
$$Removes the bounds of a limit and of its keys, so that steps that wait for the limit may start. Returns true if the limit was deleted. If handlers still use the limit, it stays without bounds, and the function returns false.

Locks the limit's row. Raises TK404 if there is no such limit, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.drop_limit to tasker_operator;
-- <<<

-- >>> db/schema/functions/features/limits/set_limit_key.sql
create or replace function tasker.set_limit_key(
  p_namespace    text,
  p_name         text,
  p_limit_key    text,
  p_concurrency  integer  default null,
  p_rate         integer  default null,
  p_per_seconds  integer  default null,
  p_burst        integer  default null,
  p_actor        text     default null,
  p_reason       text     default null
)
  returns setof tasker.limit_key_details
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
  v_key      text := tasker.limit_key_of('$', to_jsonb(p_limit_key), null);
  v_limit_no integer;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  v_limit_no := tasker.lock_limit(p_namespace, p_name);
  if p_limit_key is null then
    raise exception using
      errcode = 'TK422',
      message = format('the key of limit "%s" is null', p_name),
      hint    = 'tasker.set_limit() sets the bounds of all keys; the key without a value is the empty text.';
  end if;
  perform tasker.check_limit_bounds(p_name, p_concurrency, p_rate, p_per_seconds, p_burst);

  insert into tasker.limit_bounds as b (
    limit_no, limit_key, namespace, name, concurrency, rate, per_seconds, burst, created_by, updated_by
  )
  values (
    v_limit_no, v_key, p_namespace, p_name, p_concurrency, p_rate, coalesce(p_per_seconds, 1),
    tasker.burst_of(p_rate, p_per_seconds, p_burst), tasker.actor_name(p_actor), tasker.actor_name(p_actor)
  )
  on conflict (limit_no, limit_key) do update
     set concurrency = excluded.concurrency,
         rate        = excluded.rate,
         per_seconds = excluded.per_seconds,
         burst       = excluded.burst,
         updated_at  = excluded.updated_at,
         updated_by  = excluded.updated_by
   where (b.concurrency, b.rate, b.per_seconds, b.burst)
         is distinct from (excluded.concurrency, excluded.rate, excluded.per_seconds, excluded.burst);
  if found then
    perform tasker.open_limit_key(v_limit_no, v_key);
  end if;
  return query select k.* from tasker.describe_limit_keys(v_limit_no, v_key, 1) as k;
end;
$$;

comment on function tasker.set_limit_key is
$$Sets the bounds of one key of a limit, which replace all bounds of the limit for this key: how many of the key's steps may run at once (p_concurrency, null means any number, 0 stops them), and how many of them may start in p_per_seconds (p_rate, null means any number). p_limit_key is the value, as text, that a step's field limit_key leads to. The empty text is the key of steps without a value. Returns the key.

The new bounds apply from the next claim on, and interrupt no running step. The arguments mean the same as for tasker.set_limit. The bounds also replace a bound from the context of a task (limit_bound). Even if no step has the key, its bounds stay until tasker.drop_limit_key or tasker.drop_limit removes them.

Idempotent. p_actor is the caller's role by default. Locks the limit's row for key share, then the key's row of tasker.limit_bounds. Raises TK404 if there is no such limit, TK422 for a bound out of range or a null key, TK413 if the actor's name is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.set_limit_key to tasker_operator;
-- <<<

-- >>> db/schema/functions/features/limits/drop_limit_key.sql
create or replace function tasker.drop_limit_key(
  p_namespace  text,
  p_name       text,
  p_limit_key  text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
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
  v_key      text := tasker.limit_key_of('$', to_jsonb(p_limit_key), null);
  v_limit_no integer;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  v_limit_no := tasker.lock_limit(p_namespace, p_name);
  delete from tasker.limit_bounds as b
   where b.limit_no = v_limit_no
     and b.limit_key = v_key
     and p_limit_key is not null;
  if not found then
    return false;
  end if;
  perform tasker.open_limit_key(v_limit_no, v_key);
  return true;
end;
$$;

comment on function tasker.drop_limit_key is
$$Removes the bounds that were set for one key of a limit. From the next claim on, the bounds of the limit apply to the key again, with the bound that the context of a task gave the key. Returns true if the key had bounds of its own.

Locks the limit's row for key share, then the key's row of tasker.limit_bounds. Raises TK404 if there is no such limit, TK413 if the actor's name is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.drop_limit_key to tasker_operator;
-- <<<

-- >>> db/schema/functions/features/limits/list_limits.sql
create or replace function tasker.list_limits(p_namespace text default null)
  returns setof tasker.limit_details
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
  return query
  select d.*
    from tasker.describe_limits(case when p_namespace is null then tasker.bound_namespaces() else array[p_namespace] end) as d;
end;
$$;

comment on function tasker.list_limits is
$$Returns the limits of a namespace, or of all namespaces, by name: their bounds, how many places are in use, how many steps wait and for how long, how many keys these steps have, and which handlers run the steps. A bound caller sees its namespaces only.

Reads the index of all steps that wait for limits or run under them. Raises TK403 if the caller is not bound to the named namespace.$$;

grant execute on function tasker.list_limits
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/features/limits/list_limit_keys.sql
create or replace function tasker.list_limit_keys(p_namespace text, p_name text, p_limit integer default 100)
  returns setof tasker.limit_key_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit_no integer;
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 10000);
  select l.limit_no into v_limit_no from tasker.limits as l where l.namespace = p_namespace and l.name = p_name;
  if not found then
    perform tasker.raise_limit_not_found(p_namespace, p_name);
  end if;

  return query select k.* from tasker.describe_limit_keys(v_limit_no, null, p_limit) as k;
end;
$$;

comment on function tasker.list_limit_keys is
$$Returns at most p_limit keys of a limit: keys whose steps wait or run, and keys with bounds of their own. The keys with the longest lines of waiting steps come first.

Reads the index of all steps that wait for the limit or run under it. Raises TK404 if there is no such limit, TK422 if p_limit is out of range, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_limit_keys
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001203', 'functions/features/limits/drop_limit a54f8dfaedaa9b11
functions/features/limits/drop_limit_key 1297cc3ed82762df
functions/features/limits/list_limit_keys 52284809c126bb93
functions/features/limits/list_limits 72d9072eedb8de6d
functions/features/limits/private/burst_of dd4f7239d05fa331
functions/features/limits/private/changed_limit_key 57fc67bb9559d512
functions/features/limits/private/check_limit_bounds 60b8af68e687b721
functions/features/limits/private/describe_limit_keys 1739006fabddb96a
functions/features/limits/private/describe_limits ce1fd48bb2966eea
functions/features/limits/private/forget_limit_keys 350c10bfdfc8f01a
functions/features/limits/private/lock_limit 577d5745d5b161a5
functions/features/limits/private/raise_limit_not_found 9e14b928b255844a
functions/features/limits/set_limit 599d96dce6d01284
functions/features/limits/set_limit_key 4ea0ddce3e1a1e64
rows/features/limits/limit_details 0596c7d885d4dee7
rows/features/limits/limit_key_details 758d3599967ccc95
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001203';

drop function tasker.list_limit_keys;
drop function tasker.list_limits;
drop function tasker.drop_limit_key;
drop function tasker.set_limit_key;
drop function tasker.drop_limit;
drop function tasker.set_limit;
drop function tasker.changed_limit_key;
drop function tasker.forget_limit_keys;
drop function tasker.lock_limit;
drop function tasker.burst_of;
drop function tasker.check_limit_bounds;
drop function tasker.describe_limit_keys;
drop function tasker.describe_limits;
drop function tasker.raise_limit_not_found;
drop view tasker.limit_key_details;
drop view tasker.limit_details;

reset role;
