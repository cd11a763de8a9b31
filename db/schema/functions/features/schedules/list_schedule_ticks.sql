create or replace function tasker.list_schedule_ticks(
  p_namespace  text,
  p_schedule   text,
  p_limit      integer  default 100,
  p_before     bigint   default null
)
  returns setof tasker.schedule_ticks
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_uuid uuid;
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 10000);
  select s.schedule_uuid
    into v_uuid
    from tasker.schedules as s
   where s.namespace = p_namespace
     and s.schedule = p_schedule;
  if not found then
    perform tasker.raise_schedule_not_found(p_namespace, p_schedule);
  end if;
  return query
  select k.*
    from tasker.schedule_ticks as k
   where k.schedule_uuid = v_uuid
     and (p_before is null or k.tick_no < p_before)
   order by k.tick_no desc
   limit p_limit;
end;
$$;

comment on function tasker.list_schedule_ticks is
$$Lists the outcomes of a schedule's ticks, the newest first. A tick created a task (with its UUID), was skipped, was
queued, or failed, each with the reason. The list also has the pauses and resumptions of the schedule with their actors.
Returns at most p_limit entries; if p_before is given, only entries with lower numbers. The setting schedule_ticks is the
number of entries that the history keeps. Raises TK404 if there is no such schedule, TK422 for a limit out of range, TK403
if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_schedule_ticks
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
