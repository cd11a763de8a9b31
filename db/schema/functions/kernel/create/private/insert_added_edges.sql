create or replace function tasker.insert_added_edges(p_task_uuid uuid, p_last integer, p_steps jsonb, p_numbers jsonb)
  returns void
  language plpgsql
as $$
begin
  insert into tasker.added_step_edges (task_uuid, from_step_no, to_step_no, condition)
  select
    p_task_uuid,
    (p_numbers ->> coalesce(d.value ->> 'step', d.value #>> '{}'))::integer,
    p_last + e.no,
    (d.value ->> 'when')::jsonpath
  from jsonb_array_elements(p_steps) with ordinality as e (value, no)
  cross join jsonb_array_elements(e.value -> 'dependencies') as d (value);
end;
$$;

comment on function tasker.insert_added_edges is
$$Inserts the edges that lead to new steps. The steps are in normal form and have been inserted with numbers above p_last. p_numbers has the number of each step of the task by its name.$$;
