create or replace function tasklib.submit_deduplicated(
  p_name             text,
  p_kwargs           jsonb[],
  p_delay_seconds    double precision[],
  p_priorities       integer[],
  p_max_retries      integer[],
  p_timeout_seconds  integer[],
  p_tags             jsonb[],
  p_dedup_keys       text[],
  p_dedup_kept       boolean,
  p_limit_keys       text[],
  p_now              timestamptz,
  p_time             bytea,
  p_retries          integer,
  p_timeout          integer,
  p_caller           text
)
  returns setof tasklib.task_submissions
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
  v_ids      uuid[] := array_fill(null::uuid, array[cardinality(p_kwargs)]);
  v_created  boolean[] := array_fill(false, array[cardinality(p_kwargs)]);
  v_left     integer[];
  v_try      integer := 0;
  v_row      record;
begin
  loop
    select array_agg(u.position::integer)
      into v_left
      from unnest(v_ids) with ordinality as u (id, position)
     where u.id is null;
    exit when v_left is null;

    v_try := v_try + 1;
    if v_try > 10 then
      raise exception using
        errcode = 'TK409',
        message = format('tasks of "%s" with the same key kept appearing and ending', p_name),
        hint    = 'Submit it again.';
    end if;

    -- Insert in the order of the deduplication keys, so that two calls cannot deadlock. If two keys of this call are equal,
    -- the first of them creates a task, and the next statement finds this task for the second.
    for v_row in
      with candidates as (
        select u.*,
               tasklib.task_id(p_time, u.position) as id
          from unnest(p_kwargs, p_delay_seconds, p_priorities, p_max_retries, p_timeout_seconds, p_tags, p_dedup_keys, p_limit_keys)
               with ordinality as u (kwargs, delay, priority, max_retries, timeout, tags, dedup_key, limit_key, position)
         where v_ids[u.position] is null
         order by u.dedup_key, u.position
      ),
      inserted as (
        insert into tasklib.tasks
          (id, created_at, scheduled_at, ready, priority, max_retries, timeout_seconds, name, submitted_by, kwargs, tags,
           dedup_key, dedup_kept, limit_key)
        select
          c.id,
          p_now,
          case when c.delay > 0 then p_now + make_interval(secs => c.delay) else p_now end,
          coalesce(c.delay, 0) = 0,
          coalesce(c.priority, 0),
          coalesce(c.max_retries, p_retries),
          coalesce(c.timeout, p_timeout),
          p_name,
          p_caller,
          c.kwargs,
          c.tags,
          c.dedup_key,
          p_dedup_kept and c.dedup_key is not null,
          c.limit_key
        from candidates as c
        on conflict (name, dedup_key) where dedup_key is not null and (dedup_kept or state in ('pending', 'running'))
          do nothing
        returning tasks.id
      )
      select c.position, c.id
        from candidates as c
        join inserted as i
          on i.id = c.id
    loop
      v_ids[v_row.position] := v_row.id;
      v_created[v_row.position] := true;
    end loop;

    -- A key whose task was not inserted has a task of an earlier call. A second statement is needed to see that task. If the
    -- task has ended meanwhile, the loop tries the key again.
    for v_row in
      select l.position, t.id
        from unnest(v_left) as l (position)
       cross join lateral (
         select d.id
           from tasklib.tasks as d
          where d.name = p_name
            and d.dedup_key = p_dedup_keys[l.position]
            and d.dedup_key is not null
            and (d.dedup_kept or d.state in ('pending', 'running'))
         offset 0
       ) as t
       where v_ids[l.position] is null
    loop
      v_ids[v_row.position] := v_row.id;
    end loop;
  end loop;

  return query
  select u.position::integer, u.id, u.created
    from unnest(v_ids, v_created) with ordinality as u (id, created, position)
   order by u.position;
end;
$$;

comment on function tasklib.submit_deduplicated is
$$Creates a task for each deduplication key that has no task yet, and returns the existing tasks of all other keys. Inserts with "on conflict do nothing", then reads the existing tasks in a second statement.$$;
