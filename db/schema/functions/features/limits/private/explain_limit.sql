create or replace function tasker.explain_limit(p_task_uuid uuid, p_step_no integer)
  returns text
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
declare
  v_row    tasker.step_queue;
  v_limit  tasker.limits;
  v_in_use bigint;
  v_units  bigint;
  v_before bigint;
  v_at     timestamptz;
begin
  select q.*
    into v_row
    from tasker.step_queue as q
   where q.task_uuid = p_task_uuid
     and q.step_no = p_step_no
     and q.lane = 'limited';
  if not found then
    return null;
  end if;
  select l.* into v_limit from tasker.key_limit(v_row.limit_no, v_row.limit_key) as l;
  select count(*) + (
      select coalesce(sum(h.held_units), 0)
        from tasker.limit_places as h
       where h.limit_no = v_row.limit_no
         and h.limit_key = v_row.limit_key
         and h.held_units > 0
    )
    into v_in_use
    from tasker.step_queue as q
   where q.limit_no = v_row.limit_no
     and q.limit_key = v_row.limit_key
     and q.lane = 'running';
  select count(*)
    into v_before
    from (
      select
        from tasker.step_queue as q
       where q.limit_no = v_row.limit_no
         and q.limit_key = v_row.limit_key
         and q.lane = 'limited'
         and (q.visible_at, q.task_uuid, q.step_no) < (v_row.visible_at, v_row.task_uuid, v_row.step_no)
       limit 100000
    ) as q;
  select h.units
    into v_units
    from tasker.limit_places as h
   where h.task_uuid = p_task_uuid
     and h.step_no = p_step_no
     and h.limit_no = v_row.limit_no;
  v_at := tasker.next_limit_start(v_row.limit_no, v_row.limit_key);

  return case
    when v_limit.concurrency - v_in_use < least(coalesce(v_units, 1), greatest(v_limit.concurrency, 1)) or v_at is not null then
      format('It waits for limit "%s"%s: ', v_limit.name, case when v_row.limit_key <> '' then format(', key "%s"', v_row.limit_key) else '' end)
      || concat_ws(', ',
        case when v_limit.concurrency is not null then format('%s of %s in use', v_in_use, v_limit.concurrency) end,
        case when v_units > 1 then format('it needs %s', v_units) end,
        case when v_at is not null then
          format('the next start is at %s', to_char(v_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS"Z"'))
        end,
        format('%s before it', v_before)
      ) || '.'
  end;
end;
$$;

comment on function tasker.explain_limit is
$$Explains in a sentence which limit an enqueued step waits for: how many places are in use, when the rate allows the next start, and how many steps come before this step. Returns null if the step waits for no limit, or the limit has room.$$;
