create or replace function tasker.refuse_run_change()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'UPDATE' and tg_argv[0] <> 'settings'
     and (tasker.is_running('erase_rows(uuid,boolean)') or tg_argv[0] = 'tasks' and tasker.is_running('replace_context(uuid,jsonb)')) then
    return null;
  end if;
  raise exception using
    errcode = 'TK403',
    message = case tg_op
      when 'UPDATE' then format('rows of tasker.%s never change the columns that they were created with', tg_argv[0])
      else format('rows of tasker.%s are never deleted', tg_argv[0])
    end,
    hint    = 'Use the functions of schema tasker; tasker.apply_retention() drops old tasks with their whole partition.';
end;
$$;

comment on function tasker.refuse_run_change is
$$Trigger function: refuses to delete tasks, steps, signals and investigations, or to change their columns that never change after the insertion, even for their owner and superusers. Only tasker.erase_rows may do so, and for tasks also tasker.replace_context. Raises TK403.$$;
