create or replace function tasker.adopt_pgmq()
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_grant   text;
  v_refused integer := 0;
begin
  foreach v_grant in array array[
    'grant usage, create on schema pgmq to tasker_owner',
    'grant execute on all functions in schema pgmq to tasker_owner',
    'grant all on all tables in schema pgmq to tasker_owner',
    'grant all on all sequences in schema pgmq to tasker_owner',
    'alter default privileges in schema pgmq grant all on tables to tasker_owner',
    'alter default privileges in schema pgmq grant all on sequences to tasker_owner'
  ] loop
    begin
      execute v_grant;
    exception when insufficient_privilege then
      v_refused := v_refused + 1;
      raise notice using
        message = format('not allowed: %s', v_grant),
        hint    = 'The owner of schema pgmq must call tasker.adopt_pgmq().';
    end;
  end loop;
  return v_refused;
end;
$$;

comment on function tasker.adopt_pgmq() is
$$Lets tasker_owner, and so the queue functions of schema tasker, use a pgmq that belongs to the caller: schema, functions, existing queues and those that the caller creates later. Returns how many grants the caller was not allowed to make; a notice names each.

Idempotent. For the owner of schema pgmq or of its queues, who needs the execute privilege on it.$$;

revoke all on function tasker.adopt_pgmq() from public;
