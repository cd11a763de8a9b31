create or replace function tasker.doctor_timers()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
  v_fails boolean;
  v_first tasker.failed_timers;
begin
  select f.*
    into v_first
    from tasker.failed_timers as f
    join tasker.timers as m
      on m.task_uuid = f.task_uuid
     and m.step_no = f.step_no
     and m.kind = f.kind
     and m.due_at = f.due_at
   where v_bound is null
      or tasker.may_see_task(f.task_uuid)
   order by f.failures desc, f.failed_at desc, f.task_uuid, f.step_no
   limit 1;
  v_fails := found;
  return query
  select
    'timers',
    case when v_fails then 'warn' else 'ok' end,
    case
      when not v_fails then 'none fails'
      else format(
        'timer %s of %s failed %s times, last at %s: %s', v_first.kind, tasker.step_uuid(v_first.task_uuid, v_first.step_no),
        v_first.failures, to_char(v_first.failed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'), v_first.error
      )
    end,
    case when v_fails then 'It is tried again each minute. Mend the cause; the log of the server has every failure.' end;
end;
$$;

comment on function tasker.doctor_timers is
$$Checks whether a timer could not be fired. Checks only the timers that the caller may see.$$;
