create or replace function tasker.signal_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  -- The signals of a task are numbered without gaps, and the task exists.
  select g.task_uuid, null::integer, null::integer, 'task_signals',
         case when t.task_uuid is null
           then 'has signals of a task that does not exist'
           else format('lacks a signal: the last one is number %s, and there are %s', g.last, g.total)
         end
    from (
      select g.task_uuid, max(g.signal_no) as last, count(*) as total
        from tasker.task_signals as g
       where g.task_uuid >= p_from
         and g.task_uuid < p_to
       group by g.task_uuid
    ) as g
    left join tasker.tasks as t
      on t.task_uuid = g.task_uuid
   where t.task_uuid is null
      or g.last <> g.total
  union all
  -- If a wait took a signal, the signal is the result that was logged for the wait.
  select g.task_uuid, g.step_no, null, 'task_signals', format('has signal %s as taken by a step whose history does not have it', g.signal_no)
    from tasker.task_signals as g
    left join tasker.workflow_steps as s
      on s.task_uuid = g.task_uuid
     and s.step_no = g.step_no
   where g.task_uuid >= p_from
     and g.task_uuid < p_to
     and g.step_no is not null
     and (s.task_uuid is null or s.await is not null)
     and not exists (select from tasker.erasures as x where x.task_uuid = g.task_uuid)
     and not exists (
       select
         from tasker.workflow_step_transition_log as l
        where l.task_uuid = g.task_uuid
          and l.step_no = g.step_no
          and l.result_digest = tasker.result_digest(jsonb_build_object('by', 'signal') || tasker.sent_answer(g.name, g.payload, g.sent_at))
     )
  union all
  select s.task_uuid, s.step_no, null, 'task_signals', format('lacks the signal "%s" that ended a wait', s.results ->> 'name')
    from tasker.workflow_steps as s
   where s.task_uuid >= p_from
     and s.task_uuid < p_to
     and s.await is not null
     and s.state = 'complete'
     and s.results ->> 'by' = 'signal'
     and exists (
       select
         from tasker.workflow_step_transition_log as l
        where l.task_uuid = s.task_uuid
          and l.step_no = s.step_no
          and l.from_state = 'suspended'
          and l.to_state = 'enqueued_for_orchestration'
     )
     and not exists (
       select
         from tasker.task_signals as g
        where g.task_uuid = s.task_uuid
          and g.step_no = s.step_no
     );
end;
$$;

comment on function tasker.signal_problems is
$$Finds signals that are missing or were changed: gaps in their numbers, signals without a task, and results of waits
that differ from the signals that ended the waits.$$;
