create or replace function tasker.work_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  -- A queue row for each step in the pipeline, under its claim, and for no other.
  select coalesce(s.task_uuid, q.task_uuid), coalesce(s.step_no, q.step_no), null::integer, 'step_queue',
         case
           when s.task_uuid is null then 'has a row of a step that does not exist or is not in the pipeline'
           when q.task_uuid is null then format('lacks the row of a step that is %s', s.state)
           else format('has a step that is %s, claim %s, as %s, claim %s', s.state, s.claim_no, q.lane, q.claim_no)
         end
    from (
      select s.task_uuid, s.step_no, s.state, s.claim_no, s.priority, s.limit_no, s.limit_key
        from tasker.workflow_steps as s
        join tasker.step_states as d
          on d.state = s.state
       where d.in_processing_pipeline
         and s.task_uuid >= p_from
         and s.task_uuid < p_to
    ) as s
    full join (
      select q.task_uuid, q.step_no, q.lane, q.claim_no, q.limit_no, q.limit_key
        from tasker.step_queue as q
       where q.task_uuid >= p_from
         and q.task_uuid < p_to
    ) as q
      on q.task_uuid = s.task_uuid
     and q.step_no = s.step_no
   where s.task_uuid is null
      or q.task_uuid is null
      or q.claim_no <> s.claim_no
      or tasker.table_lane(q.lane) <> case
        when s.limit_no is not null and s.state = 'enqueued' then 'limited'
        else tasker.step_lane(s.state, s.priority)
      end
      or (q.limit_no, q.limit_key) is distinct from (s.limit_no, s.limit_key)
  union all
  -- Each step that waits for a limit stands in a line, or is noted for one.
  select q.task_uuid, q.step_no, null, 'limit_lines', 'lacks the line of a step that waits for a limit'
    from tasker.step_queue as q
   where q.lane = 'limited'
     and q.task_uuid >= p_from
     and q.task_uuid < p_to
     and not exists (
       select
         from tasker.limit_lines as l
        where l.limit_no = q.limit_no
          and l.limit_key = q.limit_key
          and l.named_step_uuid = q.named_step_uuid
     )
     and not exists (
       select
         from tasker.limit_notes as n
        where n.limit_no = q.limit_no
          and n.key_hash = hashtext(q.limit_key)
          and n.limit_key = q.limit_key
          and n.named_step_uuid = q.named_step_uuid
     )
  union all
  -- A timer for each step that waits for a retry; none of a task that has ended or does not exist.
  select s.task_uuid, s.step_no, null, 'timers', 'lacks the timer of a step that waits for its retry'
    from tasker.workflow_steps as s
   where s.state = 'waiting_for_retry'
     and s.task_uuid >= p_from
     and s.task_uuid < p_to
     and not exists (
       select
         from tasker.timers as m
        where m.task_uuid = s.task_uuid
          and m.step_no = s.step_no
          and m.kind = 'retry_step'
     )
  union all
  select m.task_uuid, nullif(m.step_no, 0), null, 'timers', format('has the timer %s of no open task or step', m.kind)
    from tasker.timers as m
    left join tasker.tasks as t
      on t.task_uuid = m.task_uuid
    left join tasker.workflow_steps as s
      on s.task_uuid = m.task_uuid
     and s.step_no = m.step_no
   where m.task_uuid >= p_from
     and m.task_uuid < p_to
     and (m.kind <> 'fire_schedule' or not exists (select from tasker.schedules as d where d.schedule_uuid = m.task_uuid))
     and m.kind <> 'deliver_event'
     and (t.complete is not false and (t.task_uuid is null or m.kind not in ('child_ended', 'cancel_child')) or (m.kind = 'retry_step' and s.state is distinct from 'waiting_for_retry')
          or (m.kind in ('end_wait', 'start_child', 'match_wait') and s.state is distinct from 'suspended'))
  union all
  -- A step that waits for a task has a note, or a task that is open or noted to have ended.
  select s.task_uuid, s.step_no, null, 'timers', 'lacks the note of a step that waits for a task which does not run'
    from tasker.workflow_steps as s
    left join tasker.tasks as c
      on c.task_uuid = s.child_task_uuid
   where s.state = 'suspended'
     and s.await ? 'task'
     and s.task_uuid >= p_from
     and s.task_uuid < p_to
     and c.complete is not false
     and not exists (
       select
         from tasker.timers as m
        where m.task_uuid = s.task_uuid
          and m.step_no = s.step_no
          and m.kind = 'start_child'
          or m.task_uuid = c.task_uuid
          and m.kind = 'child_ended'
     )
  union all
  -- What each suspended step waits for, and nothing that no step does.
  select coalesce(s.task_uuid, w.task_uuid), coalesce(s.step_no, w.step_no), null, 'waits',
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
     )
  union all
  select w.task_uuid, null, null, 'waiting_tasks', 'has a task that has ended or does not exist'
    from tasker.waiting_tasks as w
    left join tasker.tasks as t
      on t.task_uuid = w.task_uuid
   where w.task_uuid >= p_from
     and w.task_uuid < p_to
     and t.complete is not false
  union all
  -- An open task has a step in the queue, a timer, a waiting row for an orchestrator, a step that
  -- waits, or a failure for an operator.
  select t.task_uuid, null, null, 'tasks', format('is %s, and nothing is due that would move it', t.state)
    from tasker.tasks as t
   where not t.complete
     and t.failed_steps = 0
     and t.suspended_steps = 0
     and t.task_uuid >= p_from
     and t.task_uuid < p_to
     and not exists (select from tasker.step_queue as q where q.task_uuid = t.task_uuid)
     and not exists (select from tasker.timers as m where m.task_uuid = t.task_uuid and m.kind <> 'task_deadline')
     and not exists (select from tasker.waiting_tasks as w where w.task_uuid = t.task_uuid);
end;
$$;

comment on function tasker.work_problems(uuid, uuid) is
$$Finds queue rows, timers and waiting rows that do not agree with the steps and tasks in a range.$$;

revoke all on function tasker.work_problems(uuid, uuid) from public;
