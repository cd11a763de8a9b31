create or replace function tasker.refuse_run_change()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK403',
    message = case tg_op
      when 'UPDATE' then format('rows of tasker.%s never change what they were made with', tg_argv[0])
      else format('rows of tasker.%s are never deleted', tg_argv[0])
    end,
    hint    = 'Use the functions of schema tasker; old tasks go with their whole partition, by tasker.apply_retention().';
end;
$$;

comment on function tasker.refuse_run_change() is
$$Trigger function: keeps tasks, their steps and investigations where their history is, and what they were made with, for their owner and superusers too. Raises TK403.$$;

revoke all on function tasker.refuse_run_change() from public;
