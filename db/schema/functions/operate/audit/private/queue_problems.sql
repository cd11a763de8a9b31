create or replace function tasker.queue_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  -- Each step in the pipeline has a queue row with its claim, and no other step has a queue row.
  select coalesce(s.task_uuid, q.task_uuid), coalesce(s.step_no, q.step_no), null::integer, 'step_queue',
         case
           when s.task_uuid is null then 'has a row of a step that does not exist or is not in the pipeline'
           when q.task_uuid is null then format('lacks the row of a step that is %s', s.state)
           when num_nonnulls(q.limit_no, q.limit_key, q.limit_lane) in (1, 2) then 'has a row with a part of a limit'
           else format('has a step that is %s, claim %s, as %s, claim %s', s.state, s.claim_no, q.lane, q.claim_no)
         end
    from (
      select s.task_uuid, s.step_no, s.state, s.claim_no, s.priority, s.limit_no, s.limit_key, s.effects & 256 <> 0 as places,
             s.effects & 16384 <> 0 and s.state = 'enqueued' and tasker.task_is_held(s.task_uuid) as held
        from tasker.workflow_steps as s
        join tasker.step_states as d
          on d.state = s.state
       where d.in_processing_pipeline
         and s.task_uuid >= p_from
         and s.task_uuid < p_to
    ) as s
    full join (
      select q.task_uuid, q.step_no, q.lane, q.claim_no, q.limit_no, q.limit_key, q.limit_lane
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
        when s.held then 'paused'
        -- The run of the step may have the places of the limit. Then the step does not wait for a place.
        when s.places and q.limit_no is null then tasker.step_lane(s.state, s.priority)
        when s.limit_no is not null and s.state = 'enqueued' then 'limited'
        else tasker.step_lane(s.state, s.priority)
      end
      or (q.limit_no, q.limit_key) is distinct from (s.limit_no, s.limit_key) and not s.places
      or num_nonnulls(q.limit_no, q.limit_key, q.limit_lane) in (1, 2)
  union all
  -- Each step that waits for a limit is in a line, or a note will put it into a line.
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
     );
end;
$$;

comment on function tasker.queue_problems is
$$Finds queue rows that do not agree with their steps, and steps that wait for a limit without a line. Checks the tasks
between two UUIDs.$$;
