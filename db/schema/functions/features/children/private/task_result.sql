create or replace function tasker.task_result(p_task_uuid uuid, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  return (
    -- Do not put results beyond the limit together, because PostgreSQL refuses a value of 256 MB.
    select case
      when coalesce(max(r.bytes), 0) <= p_bytes
        then coalesce(jsonb_object_agg(r.name, coalesce(r.results, 'null')) filter (where r.bytes <= p_bytes), '{}')
    end
      from (
        select s.name, s.results, sum(coalesce(octet_length(s.results::text), 4)) over (order by s.step_no) as bytes
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
      ) as r
  );
end;
$$;

comment on function tasker.task_result is
$$Returns the result of a task: an object with the results of its last steps by name. The last steps are the steps on which no other step depends. Steps that were skipped, cancelled or never ran are left out. Returns null if the results have more than p_bytes bytes.$$;
