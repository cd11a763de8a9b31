create or replace function tasker.count_failing_timers(p_bound text[])
  returns bigint
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select count(*)
      from tasker.failed_timers as f
     cross join lateral (
       select
         from tasker.timers as m
        where m.task_uuid = f.task_uuid
          and m.step_no = f.step_no
          and m.kind = f.kind
          and m.due_at = f.due_at
       offset 0
     ) as m
     where p_bound is null
        or tasker.may_see_task(f.task_uuid)
  );
end;
$$;

comment on function tasker.count_failing_timers is
$$Returns the number of timers whose last firing failed. If p_bound is not null, counts only timers of tasks in these
namespaces.$$;
