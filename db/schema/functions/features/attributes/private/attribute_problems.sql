create or replace function tasker.attribute_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select a.task_uuid, nullif(a.step_no, 0), null::integer, 'task_attributes',
         case
           when t.task_uuid is null then format('has the attribute %s of a task that does not exist', a.attribute_no)
           when d.path is null then format('has the attribute "%s", which the template does not take from %s', n.name, coalesce('step ' || nullif(a.step_no, 0), 'the context'))
           when t.erased_at is not null then format('has the attribute "%s" of an erased task', n.name)
           else format('does not have the value of the context in the attribute "%s"', n.name)
         end
    from tasker.task_attributes as a
    left join tasker.attributes as n
      on n.attribute_no = a.attribute_no
    left join tasker.tasks as t
      on t.task_uuid = a.task_uuid
    left join tasker.template_attributes as d
      on d.named_task_uuid = t.named_task_uuid
     and d.step_no = a.step_no
     and d.attribute_no = a.attribute_no
   cross join lateral tasker.attribute_of(
     n.type, case when a.step_no = 0 and d.path is not null then jsonb_path_query_first(t.context, d.path, '{}', true) end
   ) as v
   where a.task_uuid >= p_from
     and a.task_uuid < p_to
     and (
       t.task_uuid is null
       or d.path is null
       or t.erased_at is not null
       or a.step_no = 0 and (a.text_value, a.number_value, a.time_value) is distinct from (v.text_value, v.number_value, v.time_value)
     )
  union all
  select t.task_uuid, null, null, 'tasks', format('lacks the attribute "%s", whose value is in the context', n.name)
    from tasker.template_attributes as d
    join tasker.attributes as n
      on n.attribute_no = d.attribute_no
    join tasker.tasks as t
      on t.named_task_uuid = d.named_task_uuid
   where d.step_no = 0
     and t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.erased_at is null
     and jsonb_path_query_first(t.context, d.path, '{}', true) is not null
     and not exists (
       select from tasker.task_attributes as a where a.task_uuid = t.task_uuid and a.attribute_no = d.attribute_no
     );
end;
$$;

comment on function tasker.attribute_problems is
$$Finds the attributes that do not agree with the template or the context, for the tasks from p_from up to p_to.$$;
