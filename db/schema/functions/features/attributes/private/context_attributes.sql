create or replace function tasker.context_attributes(p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
begin
  if p_task_uuids <> '{}' then
    perform tasker.write_attributes(p_task_uuids, array_fill(0, array[cardinality(p_task_uuids)]));
  end if;
end;
$$;

comment on function tasker.context_attributes is
$$Writes the attributes of new tasks from their contexts.$$;
