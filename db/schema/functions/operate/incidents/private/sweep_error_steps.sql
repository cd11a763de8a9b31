create or replace function tasker.sweep_error_steps(p_limit integer)
  returns integer
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
  v_now   timestamptz := tasker.clock();
  v_from  tasker.incident_watch;
  v_read  integer;
  v_moved integer;
  v_until tasker.error_steps;
begin
  select w.* into strict v_from from tasker.incident_watch as w;

  with read as materialized (
    select e.task_uuid, e.step_no, e.failed_at, e.stands
      from tasker.error_steps as e
     where (e.task_uuid, e.step_no) > (coalesce(v_from.swept_task, '00000000-0000-0000-0000-000000000000'), coalesce(v_from.swept_step, 0))
     order by e.task_uuid, e.step_no
     limit p_limit
  ),
  now as materialized (
    select
      r.task_uuid, r.step_no, r.failed_at, r.stands as was,
      case
        when s.complete is not false then 'over'
        when s.state = 'error' then 'failed'
        when s.state in ('complete', 'cancelled', 'resolved_manually') then 'over'
        else 'retrying'
      end as stands
    from read as r
    left join lateral (
      select s.state, t.complete
        from tasker.workflow_steps as s
       cross join lateral (
         select t.complete
           from tasker.tasks as t
          where t.task_uuid = s.task_uuid
         offset 0
       ) as t
       where s.task_uuid = r.task_uuid
         and s.step_no = r.step_no
      offset 0
    ) as s
      on true
  ),
  -- Keep the row until this part of the log is not read again, so that the failure is not counted twice.
  gone as (
    delete from tasker.error_steps as e
     using now as n
     where n.stands = 'over'
       and n.failed_at < v_now - interval '5 minutes'
       and e.task_uuid = n.task_uuid
       and e.step_no = n.step_no
  ),
  changed as (
    update tasker.error_steps as e
       set stands = n.stands
      from now as n
     where n.stands <> n.was
       and (n.stands <> 'over' or n.failed_at >= v_now - interval '5 minutes')
       and e.task_uuid = n.task_uuid
       and e.step_no = n.step_no
  )
  select
    count(*), count(*) filter (where n.stands <> n.was),
    (array_agg(n.task_uuid order by n.task_uuid desc, n.step_no desc))[1], (array_agg(n.step_no order by n.task_uuid desc, n.step_no desc))[1]
    into v_read, v_moved, v_until.task_uuid, v_until.step_no
    from now as n;

  update tasker.incident_watch as w
     set swept_task = case when v_read = p_limit then v_until.task_uuid end,
         swept_step = case when v_read = p_limit then v_until.step_no end;
  return v_moved;
end;
$$;

comment on function tasker.sweep_error_steps is
$$Checks whether at most p_limit failed steps are still in error, and deletes the rows of steps that have moved. Each
call continues after the steps of the preceding call. Returns how many steps had changed.$$;
