create or replace function tasker.refuse_kept_change()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'DELETE' and current_setting('tasker.forgets', true) = 'on' then
    return null;
  end if;
  raise exception using
    errcode = 'TK403',
    message = case tg_op
      when 'UPDATE' then 'what a function has kept never changes'
      else 'what a function has kept is forgotten only by the engine'
    end,
    hint    = 'tasker.continue_step() and a reset of the task forget it; tasker.apply_retention() drops old tasks with their whole partition.';
end;
$$;

comment on function tasker.refuse_kept_change is
$$Trigger function: raises TK403 if kept results of functions are changed, or if they are deleted other than by the engine. Even the table's owner and superusers get this error.$$;
