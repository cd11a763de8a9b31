create or replace function tasker.check_export_size(p_task_uuid uuid)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_transitions bigint;
  v_bytes       bigint;
begin
  select
    sum(s.transition_count),
    sum(coalesce(pg_column_size(s.inputs), 0) + coalesce(pg_column_size(s.results), 0) + coalesce(pg_column_size(s.checkpoint), 0))
    into v_transitions, v_bytes
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid;
  if v_transitions > 200000 or v_bytes > 67108864 then
    raise exception using
      errcode = 'TK413',
      message = format('task %s is too large for one document', p_task_uuid),
      detail  = format('Its steps have %s transitions and %s bytes of results; a document has at most 200,000 and 67,108,864.', v_transitions, v_bytes),
      hint    = 'Read it in pages with list_steps() and get_task_history().';
  end if;
end;
$$;

comment on function tasker.check_export_size is
$$Raises TK413 if a task has too many transitions or too large results to be one document. Reads the rows of its steps only.$$;
