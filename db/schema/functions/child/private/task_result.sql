create or replace function tasker.task_result(p_task_uuid uuid)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  return (
    select coalesce(jsonb_object_agg(s.name, coalesce(s.results, 'null')), '{}')
      from tasker.tasks as t
     cross join lateral (
       select s.name, tasker.edge_result('$', s.results, s.expansion, s.task_uuid, s.step_no) as results, s.step_no
         from tasker.workflow_steps as s
        where s.task_uuid = t.task_uuid
          and s.state in ('complete', 'resolved_manually')
       offset 0
     ) as s
     where t.task_uuid = p_task_uuid
       and not exists (
         select from tasker.step_children(t.task_uuid, t.named_task_uuid, t.has_added_edges, s.step_no)
       )
  );
end;
$$;

comment on function tasker.task_result(uuid) is
$$Returns the result of a task: the results of its last steps, those that no step depends on, by name; without steps that were skipped, cancelled or never ran.$$;

revoke all on function tasker.task_result(uuid) from public;
