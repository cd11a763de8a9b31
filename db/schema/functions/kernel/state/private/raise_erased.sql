create or replace function tasker.raise_erased(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK409',
    message = format('task %s was erased and cannot run again', p_task_uuid),
    hint    = 'Create a new task. tasker.list_erasures() shows who erased it, and why.';
end;
$$;

comment on function tasker.raise_erased is
$$Raises TK409 for a task whose data were erased, so that it cannot run.$$;
