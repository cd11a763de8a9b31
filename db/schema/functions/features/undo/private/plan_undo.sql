create or replace function tasker.plan_undo(p_task_uuid uuid)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_levels integer[] := tasker.task_levels(p_task_uuid);
  v_first  integer;
begin
  with line as materialized (
    select s.task_uuid, s.step_no, row_number() over w as place, lead(s.step_no) over w as next
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.compensate_uuid is not null
       and s.for_each is null
       and s.undo_no is null
       and s.owner_uuid is null
       and (s.claim_no > 0 or s.state in ('complete', 'resolved_manually'))
    window w as (order by v_levels[s.step_no] desc, s.step_no)
  ),
  planned as (
    update tasker.workflow_steps as s
       set undo_level = v_levels[s.step_no] + 1,
           undo_next  = l.next
      from line as l
     -- Do not restrict the query to a range of task UUIDs. With such a range the planner could read all steps of the task
     -- for each row.
     where s.task_uuid = any (array[l.task_uuid])
       and s.step_no = l.step_no
  )
  select l.step_no
    into v_first
    from line as l
   where l.place = 1;
  return v_first;
end;
$$;

comment on function tasker.plan_undo is
$$Decides which steps have to be undone: steps with a compensation that have completed or were ever claimed, except steps whose effect belongs to another task. Writes the level of each step in the graph, and links the steps to a line, the highest level first. Returns the number of the first step in this line, or null if no step has to be undone. The cost is linear in the task's steps and edges.$$;
