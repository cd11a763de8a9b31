create or replace function tasker.wait_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  -- Each suspended step has its waits, and there are no other waits.
  select coalesce(s.task_uuid, w.task_uuid), coalesce(s.step_no, w.step_no), null::integer, 'waits',
         case when s.task_uuid is null
           then format('has signal "%s" of a step that does not wait for it', w.signal)
           else format('lacks signal "%s" of a step that waits for it', s.signal)
         end
    from (
      select distinct s.task_uuid, s.step_no, a.value ->> 'signal' as signal
        from tasker.workflow_steps as s
       cross join lateral jsonb_array_elements(tasker.step_wait(s.await, s.wait, s.claim_no) -> 'any') as a (value)
       where s.state = 'suspended'
         and a.value ? 'signal'
         and s.task_uuid >= p_from
         and s.task_uuid < p_to
    ) as s
    full join (
      select w.task_uuid, w.step_no, w.signal
        from tasker.waits as w
       where w.signal is not null
         and w.task_uuid >= p_from
         and w.task_uuid < p_to
    ) as w
      on w.task_uuid = s.task_uuid
     and w.step_no = s.step_no
     and w.signal = s.signal
   where s.task_uuid is null
      or w.task_uuid is null
  union all
  select s.task_uuid, s.step_no, null, 'timers', 'lacks the timer of a step whose wait a time ends'
    from tasker.workflow_steps as s
   where s.state = 'suspended'
     and (
       tasker.step_wait(s.await, s.wait, s.claim_no) ? 'timeout'
       or jsonb_path_exists(
         tasker.step_wait(s.await, s.wait, s.claim_no), '$.any[*] ? (exists (@.for) || exists (@.until))'
       )
     )
     and s.task_uuid >= p_from
     and s.task_uuid < p_to
     and not exists (
       select
         from tasker.timers as m
        where m.task_uuid = s.task_uuid
          and m.step_no = s.step_no
          and m.kind = 'end_wait'
     );
end;
$$;

comment on function tasker.wait_problems is
$$Finds waits that do not agree with the suspended steps, and waits that should end at a time but have no timer. Checks
the tasks between two UUIDs.$$;
