create or replace function tasker.explain_undo(p_task_uuid uuid, p_step_no integer)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select case
        when s.undo_no is not null then format(' It undoes step "%s".', u.name) || case
          when s.state = 'error' and not t.complete then format(
            ' Nothing more is undone until retry_step, resolve_step_manually or complete_step_manually settles it; give_up_task ends the task, which will be %s, without.',
            t.undo ->> 'to_state'
          )
          else ''
        end
        else case
          when s.owner_uuid is not null and s.compensate_uuid is not null then format(
            ' Task %s undoes it if it has to: this task took over the result only.', tasker.task_uuid_of(s.owner_uuid)
          )
          when c.name is not null then format(' Step "%s" undoes it: %s.', c.name, replace(c.state::text, '_', ' '))
          when s.undo_level > 0 and tasker.is_undone(t.undo) then ' It is undone when all that depends on it is.'
          when s.undo_level > 0 then ' It was not undone: its task was given up or resolved before.'
          else ''
        end || case
          when tasker.is_undone(t.undo) then format(' Its task is being undone, and will be %s.', t.undo ->> 'to_state')
          else ''
        end
      end
      from tasker.tasks as t
      join tasker.workflow_steps as s
        on s.task_uuid = t.task_uuid
      left join tasker.workflow_steps as u
        on u.task_uuid = s.task_uuid
       and u.step_no = s.undo_no
      left join lateral (
        select c.name, c.state
          from tasker.workflow_steps as c
         where s.undo_level > 0
           and c.task_uuid = s.task_uuid
           and c.undo_no = s.step_no
      ) as c
        on true
     where t.task_uuid = p_task_uuid
       and s.step_no = p_step_no
  );
end;
$$;

comment on function tasker.explain_undo is
$$Explains which step a step undoes, which step undoes this step and in which state that step is, and whether the task is being undone. Returns an empty text if no undo concerns the step. Reads all steps of the task if the step is to be undone.$$;
