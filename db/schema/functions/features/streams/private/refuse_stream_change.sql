create or replace function tasker.refuse_stream_change()
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
      when 'UPDATE' then 'items of a stream never change'
      else 'only the engine deletes streams and their items'
    end,
    hint    = 'tasker.erase_task() erases a run; tasker.apply_retention() drops old tasks with their whole partition.';
end;
$$;

comment on function tasker.refuse_stream_change is
$$Trigger function: raises TK403 if items of streams are changed, or if streams or items are deleted other than by the engine. Even the tables' owner and superusers get this error.$$;
