create or replace function tasker.note_failures(p_limit integer)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
declare
  v_now   timestamptz := tasker.clock();
  v_from  timestamptz;
  v_read  integer;
  v_until timestamptz;
begin
  -- Read the last two minutes a second time, because transactions may have committed late. If failures were never read
  -- before, read one hour.
  select greatest(w.read_until - interval '2 minutes', v_now - interval '1 hour') into strict v_from from tasker.incident_watch as w;

  with read as materialized (
    select r.* from tasker.read_failures(v_from, p_limit) as r
  ),
  -- Mask each distinct text only once.
  texts as materialized (
    select r.namespace, r.handler, r.error, tasker.mask_error(r.error) as masked, min(r.created_at) as first_at
      from read as r
     group by r.namespace, r.handler, r.error
  ),
  causes as materialized (
    select
      x.namespace, x.handler, x.masked,
      tasker.error_fingerprint(x.namespace, x.handler, x.masked) as fingerprint,
      min(x.first_at) as first_at
    from texts as x
    group by x.namespace, x.handler, x.masked
  ),
  -- If a handler has more than 50 new causes in an hour, further new causes count as one cause, because its texts vary
  -- in a way that no mask recognises.
  judged as materialized (
    select
      c.namespace, c.handler, c.masked,
      case when h.many then tasker.error_fingerprint(c.namespace, c.handler, 'many different errors') else c.fingerprint end as fingerprint,
      case when h.many then 'many different errors' else c.masked end as becomes
    from (
      select
        c.*,
        o.fingerprint is not null as known,
        count(*) filter (where o.fingerprint is null) over (partition by c.namespace, c.handler order by c.first_at, c.fingerprint) as new_no
      from causes as c
      left join tasker.error_causes as o
        on o.fingerprint = c.fingerprint
    ) as c
    cross join lateral (
      select
        not c.known and c.new_no + (
          select count(*)
            from tasker.error_causes as o
           where o.namespace = c.namespace
             and o.handler = c.handler
             and o.first_at > v_now - interval '1 hour'
        ) > 50 as many
    ) as h
  ),
  failures as materialized (
    select r.*, j.fingerprint, j.becomes
      from read as r
      join texts as x
        on x.namespace = r.namespace
       and x.handler = r.handler
       and x.error = r.error
      join judged as j
        on j.namespace = x.namespace
       and j.handler = x.handler
       and j.masked = x.masked
  ),
  noted as (
    insert into tasker.error_causes as o (fingerprint, namespace, handler, masked, first_error, first_step, first_at, last_at)
    select distinct on (f.fingerprint)
      f.fingerprint, f.namespace, f.handler, f.becomes, left(f.error, 2000), tasker.step_uuid(f.task_uuid, f.step_no), f.created_at,
      max(f.created_at) over (partition by f.fingerprint)
    from failures as f
    order by f.fingerprint, f.created_at, f.task_uuid, f.step_no
    on conflict (fingerprint) do update
       set last_at = greatest(o.last_at, excluded.last_at)
  ),
  counted as (
    insert into tasker.error_counts as o (bucket, fingerprint, failures, quarters)
    select h.bucket, h.fingerprint, h.failures, q.quarters
      from (
        select q.bucket, q.fingerprint, sum(q.failures) as failures, jsonb_object_agg(q.no, q.failures) as by_no
          from (
            select
              date_trunc('hour', f.created_at, 'UTC') as bucket, f.fingerprint,
              floor(extract(epoch from f.created_at - date_trunc('hour', f.created_at, 'UTC')) / 15) as no, count(*) as failures
            from failures as f
            group by 1, 2, 3
          ) as q
         group by q.bucket, q.fingerprint
      ) as h
     cross join lateral (
       select array_agg(coalesce((h.by_no ->> g.no::text)::integer, 0) order by g.no) as quarters
         from generate_series(0, 239) as g (no)
     ) as q
    on conflict (bucket, fingerprint) do update
       set failures = o.failures + excluded.failures,
           quarters = (
             select array_agg(u.before + u.added order by u.no)
               from unnest(o.quarters, excluded.quarters) with ordinality as u (before, added, no)
           )
  ),
  hours as (
    insert into tasker.error_hours as o (fingerprint, bucket, failures)
    select f.fingerprint, date_trunc('hour', f.created_at, 'UTC'), count(*)
      from failures as f
     group by 1, 2
    on conflict (fingerprint, bucket) do update
       set failures = o.failures + excluded.failures
  ),
  steps as (
    insert into tasker.error_steps as o (task_uuid, step_no, fingerprint, named_task_uuid, sort_key, failed_at, stands)
    select distinct on (f.task_uuid, f.step_no)
      f.task_uuid, f.step_no, f.fingerprint, f.named_task_uuid, f.sort_key, f.created_at, f.stands
    from failures as f
    order by f.task_uuid, f.step_no, f.sort_key desc
    on conflict (task_uuid, step_no) do update
       set fingerprint = excluded.fingerprint,
           sort_key    = excluded.sort_key,
           failed_at   = excluded.failed_at,
           stands      = excluded.stands
  )
  select count(*), max(f.created_at) into v_read, v_until from failures as f;

  update tasker.incident_watch as w
     set read_until = case when v_read < p_limit then v_now else greatest(w.read_until, v_until) end;
  return v_read;
end;
$$;

comment on function tasker.note_failures is
$$Reads at most p_limit new failures in the log. Determines the cause of each failure, counts the failures, and records
which steps are in error for which cause. Returns how many failures it read.

Finds failures through an index of the log, so a call that records a result has no extra cost. Misses the failures of a
transaction that commits later than two minutes after it recorded them.$$;
