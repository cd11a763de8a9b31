create or replace function tasker.fresh_since()
  returns timestamptz
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
  v_settled timestamptz := (select s.settled_until from tasker.rollup_state as s);
  v_rows    bigint;
begin
  select count(*)
    into v_rows
    from (
      select
        from tasker.step_log as l
       where l.created_at >= v_settled
      union all
      select
        from tasker.task_log as l
       where l.created_at >= v_settled
       limit 20001
    ) as l;
  return case when v_rows <= 20000 then v_settled end;
end;
$$;

comment on function tasker.fresh_since is
$$Returns the end of the settled period that maintenance has counted. From then on, a report counts the logs itself.
Returns null if more than 20,000 rows of tasks and steps were logged since then, and a report then has only the counts
of maintenance.$$;
