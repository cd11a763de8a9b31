create or replace function tasker.write_attributes(p_task_uuids uuid[], p_named_task_uuids uuid[], p_step_nos integer[], p_values jsonb[])
  returns void
  language plpgsql
as $$
declare
  v_now timestamptz := tasker.write_clock();
begin
  insert into tasker.task_attributes as a (task_uuid, attribute_no, step_no, text_value, number_value, time_value, problem, changed_at)
  select f.task_uuid, f.attribute_no, f.step_no, v.text_value, v.number_value, v.time_value, v.problem, v_now
    from (
      -- If an attribute has two sources in the arrays, the later source counts.
      select distinct on (u.task_uuid, d.attribute_no) u.task_uuid, d.attribute_no, u.step_no, d.type, p.value
        from unnest(p_task_uuids, p_named_task_uuids, p_step_nos, p_values) with ordinality as u (task_uuid, named_task_uuid, step_no, value, place)
       cross join lateral (
         select d.attribute_no, d.path, n.type
           from tasker.template_attributes as d
           join tasker.attributes as n
             on n.attribute_no = d.attribute_no
          where d.named_task_uuid = u.named_task_uuid
            and d.step_no = u.step_no
         offset 0
       ) as d
       cross join lateral (
         select jsonb_path_query_first(u.value, d.path, '{}', true) as value offset 0
       ) as p
       where p.value is not null
       order by u.task_uuid, d.attribute_no, u.place desc
    ) as f
   cross join lateral tasker.attribute_of(f.type, f.value) as v
   order by f.task_uuid, f.attribute_no
  on conflict (task_uuid, attribute_no) do update
     set step_no      = excluded.step_no,
         text_value   = excluded.text_value,
         number_value = excluded.number_value,
         time_value   = excluded.time_value,
         problem      = excluded.problem,
         changed_at   = excluded.changed_at;
end;
$$;

comment on function tasker.write_attributes is
$$Writes the attributes of tasks from p_values, in the order of the arrays. A value is the result of a step, or the context if the step number is 0. The caller passes the values, so that a creation opens no partition of steps. If a source has no value at the attribute's path, the attribute does not change. The caller holds the locks of the tasks, or has inserted them.$$;
