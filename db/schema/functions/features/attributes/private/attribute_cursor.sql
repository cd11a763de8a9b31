create or replace function tasker.attribute_cursor(p_task_uuid uuid, p_nos text, p_column text, p_way text)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_condition text;
begin
  execute format(
    $sql$select format(' and (a.%1$I, a.task_uuid) %2$s (%%L::%3$s, %%L::uuid)', a.%1$I, a.task_uuid)
      from tasker.task_attributes as a
     where a.task_uuid = %4$L
       and a.attribute_no = any (%5$L::integer[])
       and a.%1$I is not null$sql$,
    p_column, case p_way when 'desc' then '<' else '>' end,
    case p_column when 'number_value' then 'numeric' when 'time_value' then 'timestamptz' else 'text' end, p_task_uuid, p_nos
  ) into v_condition;
  if v_condition is null then
    raise exception using
      errcode = 'TK422',
      message = format('task %s does not have the attribute of the sort', p_task_uuid),
      hint    = 'Begin with the first page.';
  end if;
  return v_condition;
end;
$$;

comment on function tasker.attribute_cursor is
$$Returns a condition, as SQL, that selects the entries after a task's entry, so that the next page of a sorted search begins there. Raises TK422 if the task does not have the attribute.$$;
