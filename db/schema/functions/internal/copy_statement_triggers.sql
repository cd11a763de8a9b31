create or replace function tasker.copy_statement_triggers(p_from_table text, p_to_table text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_definition text;
begin
  for v_definition in
    select pg_get_triggerdef(t.oid)
      from pg_trigger as t
     where t.tgrelid = format('tasker.%I', p_from_table)::regclass
       and not t.tgisinternal
       and t.tgtype & 1 = 0  -- for each statement
     order by t.tgname
  loop
    execute replace(
      v_definition, format(' ON tasker.%I ', p_from_table), format(' ON tasker.%I ', p_to_table)
    );
  end loop;
end;
$$;

comment on function tasker.copy_statement_triggers(text, text) is
$$Gives a partition the statement-level triggers of its parent, which it does not inherit.$$;

revoke all on function tasker.copy_statement_triggers(text, text) from public;
