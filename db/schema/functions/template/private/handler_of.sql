create or replace function tasker.handler_of(p_step jsonb)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(p_step ->> 'handler', 'tasker.await');
end;

comment on function tasker.handler_of(jsonb) is
$$The handler of a step in normal form; "tasker.await", which no worker registers, for a step that waits.$$;

revoke all on function tasker.handler_of(jsonb) from public;
