create or replace function tasker.take_turn(p_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
as $$
begin
  perform from tasker.turns as t where t.name = p_name for update;
exception
  when lock_not_available then
    raise exception using
      errcode = 'TK409',
      message = format('another session has held the turn "%s" for longer than 5 seconds', p_name),
      detail  = (select tasker.describe_lock_holder(t.xmax, t.tableoid) from tasker.turns as t where t.name = p_name),
      hint    = 'Try again when its transaction has ended, or end it with pg_terminate_backend(pid).';
end;
$$;

comment on function tasker.take_turn is
$$Waits for a turn and holds it until the transaction ends. Raises TK409, with the process that holds the turn, if it has waited 5 seconds.$$;
