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
  'Row type: a limit and what stands in it.';
comment on column tasker.limit_details.in_use is
  'Steps of all keys that a worker has claimed, also those whose lease has ended and that no claim has taken back yet.';
comment on column tasker.limit_details.waiting is
  'Steps of all keys that are enqueued.';
comment on column tasker.limit_details.keys is
  'Keys with a step that waits or runs.';
comment on column tasker.limit_details.oldest_seconds is
  'How long the first waiting step has waited; 0 if none waits.';
-- <<<

-- >>> db/schema/rows/features/limits/limit_key_details.sql
create or replace view tasker.limit_key_details as
select
  ''::text as limit_key,
  0::bigint as in_use,
  0::bigint as waiting,
  0::double precision as oldest_seconds,
  null::timestamptz as next_start_at
where false;

comment on view tasker.limit_key_details is
  'Row type: a key of a limit and what stands in it.';
comment on column tasker.limit_key_details.next_start_at is
  'When the rate allows the next start; null without a rate, or if that is now.';
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
    l.namespace, l.name, l.concurrency, l.rate, l.per_seconds, l.burst, q.in_use, q.waiting, q.keys,
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
$$Returns the limits of these namespaces, null for all, with what stands in them.$$;
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
  -- A key that is needed again is inserted again: what runs is counted in the queue. Hold the limits as insertion does, so that no claim waits for a key that is being deleted.
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
  return v_done;
end;
$$;

comment on function tasker.forget_limit_keys is
$$Deletes keys of limits that nothing waits for and whose rate is paid: at most p_count. Returns how many.$$;
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
  -- Else each claim of a fast rate would get one step.
  v_one integer     := coalesce(p_burst, greatest(1, p_rate / (10 * greatest(coalesce(p_per_seconds, 1), 1)::bigint)));
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  if p_name is null or p_name !~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$' then
    raise exception using
      errcode = 'TK422',
      message = format('%s is not a valid limit name', coalesce('"' || left(p_name, 100) || '"', 'null')),
      hint    = 'A name is a letter or digit, then at most 127 of these, underscores, dots, colons and hyphens.';
  end if;
  if p_concurrency not between 0 and 1000000 or p_rate not between 1 and 1000000
     or v_per not between 1 and 31536000 or v_one not between 1 and 1000000
     or p_rate is null and num_nonnulls(p_per_seconds, p_burst) > 0
     -- Within the range of times, however far a rate is charged ahead.
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
$$Sets the bounds of a limit: how many steps that name it may run at once (p_concurrency, null: any number; 0 stops them), and how many may start in p_per_seconds (p_rate, null: any number), for each key. Replaces all bounds; creates the limit if it is new. Returns the limit.

The next claim goes by the new bounds. Lowering them interrupts no step: none starts until fewer run. p_per_seconds is 1 by default. The starts of a rate are spaced evenly, except that p_burst may come at once after a pause; by default what a tenth of a second allows, at least 1. So no more than p_rate + p_burst - 1 start in any p_per_seconds.

Idempotent. p_actor is null for the caller's role. Locks the limit's row. Raises TK404 if there is no such namespace, TK422 for a bound out of range or a malformed name, TK413 if the actor's name is too long or the namespace has 1,000 limits, TK403 if the caller is bound to other namespaces.$$;

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
$$Removes the bounds of a limit: steps that wait for it may start. True if the limit is gone; false if templates or steps name it, so that it stays, without bounds.

Locks the limit's row. Raises TK404 if there is no such limit, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.drop_limit to tasker_operator;
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
$$Returns the limits of a namespace, or of all, by name: their bounds, how many steps are in use, how many wait and for how long, in how many keys, and which handlers run them. A bound caller sees its namespaces only.

Reads the index of all steps that wait for limits or run under them. Raises TK403 if the caller is bound to other namespaces than the one named.$$;

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
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
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

  return query
  select
    q.limit_key, q.in_use, q.waiting,
    coalesce(greatest(extract(epoch from tasker.clock() - q.oldest), 0), 0)::double precision,
    tasker.next_limit_start(v_limit_no, q.limit_key)
  from (
    select
      q.limit_key,
      count(*) filter (where q.lane = 'running') as in_use,
      count(*) filter (where q.lane = 'limited') as waiting,
      min(q.visible_at) filter (where q.lane = 'limited') as oldest
      from tasker.step_queue as q
     where q.limit_no = v_limit_no
       and q.lane in ('running', 'limited')
     group by q.limit_key
     order by waiting desc, in_use desc, q.limit_key
     limit p_limit
  ) as q
  order by q.waiting desc, q.in_use desc, q.limit_key;
end;
$$;

comment on function tasker.list_limit_keys is
$$Returns the keys of a limit with steps that wait or run, the longest lines first: at most p_limit.

Reads the index of all steps that wait for the limit or run under it. Raises TK404 if there is no such limit, TK422 for a limit of rows out of range, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_limit_keys
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001203', 'functions/features/limits/drop_limit 242e7058247e5d03
functions/features/limits/list_limit_keys 1f6ac0cceb9ad6ea
functions/features/limits/list_limits 2cbe596bddb4f73c
functions/features/limits/private/describe_limits 2b75618456eb8fb6
functions/features/limits/private/forget_limit_keys 4a414570dba454d8
functions/features/limits/private/raise_limit_not_found 9e14b928b255844a
functions/features/limits/set_limit 3fa6a1c1219e7df5
rows/features/limits/limit_details aaa3910cd31129d7
rows/features/limits/limit_key_details 9e93103f9cde2fd2
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001203';

drop function tasker.list_limit_keys;
drop function tasker.list_limits;
drop function tasker.drop_limit;
drop function tasker.set_limit;
drop function tasker.forget_limit_keys;
drop function tasker.describe_limits;
drop function tasker.raise_limit_not_found;
drop view tasker.limit_key_details;
drop view tasker.limit_details;

reset role;
