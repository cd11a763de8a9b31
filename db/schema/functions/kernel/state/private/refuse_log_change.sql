create or replace function tasker.refuse_log_change()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK403',
    message = format('rows of tasker.%s are never changed or deleted', tg_argv[0]),
    hint    = 'History is append-only; retention drops old ranges as whole partitions.';
end;
$$;

comment on function tasker.refuse_log_change is
$$Trigger function: keeps the logs append-only, even for their owner and superusers. Raises TK403.$$;
