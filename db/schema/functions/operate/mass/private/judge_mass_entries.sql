create or replace function tasker.judge_mass_entries(p_selection_uuid uuid, p_after integer, p_limit integer)
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
  v_read integer;
  v_last integer;
begin
  with read as materialized (
    select e.entry_no, coalesce(e.result_uuid, e.task_uuid) as task_uuid, e.watch
      from tasker.selection_entries as e
     where e.selection_uuid = p_selection_uuid
       and e.state = 'open'
       and e.entry_no > p_after
     order by e.entry_no
     limit p_limit
  ),
  now as materialized (
    select
      r.entry_no,
      case
        when w.failed or t.state in ('error', 'blocked_by_failures') then 'failed'
        when w.settled is not false or t.complete is not false then 'passed'
        else 'open'
      end as state,
      w.error
    from read as r
    left join lateral (
      select t.state, t.complete
        from tasker.tasks as t
       where t.task_uuid = r.task_uuid
      offset 0
    ) as t
      on true
    cross join lateral (
      select
        bool_or(s.state = 'error') as failed,
        bool_and(s.state in ('complete', 'cancelled', 'resolved_manually')) as settled,
        left((array_agg(s.last_error order by s.step_no) filter (where s.state = 'error'))[1], 500) as error
      from unnest(r.watch) as u (step_no)
      cross join lateral (
        select s.step_no, s.state, s.last_error
          from tasker.workflow_steps as s
         where s.task_uuid = r.task_uuid
           and s.step_no = u.step_no
        offset 0
      ) as s
    ) as w
  ),
  changed as (
    update tasker.selection_entries as e
       set state = n.state,
           note  = n.error
      from now as n
     where n.state <> 'open'
       and e.selection_uuid = p_selection_uuid
       and e.entry_no = n.entry_no
  )
  select count(*), max(n.entry_no) into v_read, v_last from now as n;
  return case when v_read = p_limit then v_last else 0 end;
end;
$$;

comment on function tasker.judge_mass_entries is
$$Determines the outcomes of at most p_limit open entries after the entry p_after. The outcome is "failed" if a step
that had failed before, or its task, has failed again. The outcome is "passed" if these steps have settled, or if the
task has ended. Returns the entry after which the next call continues, or 0 if it begins with the first entry.$$;
