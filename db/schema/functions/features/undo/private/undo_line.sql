create or replace function tasker.undo_line(p_task_uuid uuid, p_first integer, p_limit integer)
  returns integer[]
  language plpgsql
  stable
as $$
begin
  return array(
    with recursive line as (
      select s.step_no, s.undo_level, s.undo_next, 1 as place
        from tasker.workflow_steps as s
       where s.task_uuid = p_task_uuid
         and s.step_no = p_first
      union all
      select s.step_no, s.undo_level, s.undo_next, l.place + 1
        from line as l
       cross join lateral (
         select s.step_no, s.undo_level, s.undo_next
           from tasker.workflow_steps as s
          where s.task_uuid = p_task_uuid
            and s.step_no = l.undo_next
            and s.undo_level = l.undo_level
         offset 0
       ) as s
       where l.place < p_limit
    )
    select l.step_no
      from line as l
     order by l.place
  );
end;
$$;

comment on function tasker.undo_line is
$$Returns the numbers of at most p_limit steps that are undone together: step p_first and the steps that follow it in the line and have the same level. Reads only these steps.$$;
