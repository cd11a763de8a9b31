create or replace function tasker.refuse_log_change()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- An erasure replaces texts. The path, the times and the logins of a row do not change.
  if tg_op = 'UPDATE' and tg_argv[0] in ('task_log', 'step_log', 'administration_log') and tasker.is_running('erase_rows(uuid,boolean)') then
    old.actor := new.actor;
    old.reason := new.reason;
    if tg_argv[0] = 'administration_log' then
      old.was := new.was;
      old.becomes := new.becomes;
    else
      old.metadata := new.metadata;
      if tg_argv[0] = 'task_log' then
        old.outcome := new.outcome;
      else
        old.result_digest := new.result_digest;
      end if;
    end if;
    if old is not distinct from new then
      return new;
    end if;
  end if;
  raise exception using
    errcode = 'TK403',
    message = format('rows of tasker.%s are never changed or deleted', tg_argv[0]),
    hint    = 'History is append-only; retention drops old ranges as whole partitions.';
end;
$$;

comment on function tasker.refuse_log_change is
$$Trigger function: refuses changes of existing log rows, even for their owner and superusers. Only tasker.erase_rows may replace texts. Raises TK403.$$;
