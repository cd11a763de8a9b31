create or replace function tasker.copy_statement_triggers(p_from_table text, p_to_table text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set quote_all_identifiers = off
as $$
declare
  v_trigger record;
begin
  for v_trigger in
    select t.tgname, t.tgenabled, pg_get_triggerdef(t.oid) as definition
      from pg_trigger as t
     where t.tgrelid = format('tasker.%I', p_from_table)::regclass
       and not t.tgisinternal
       and t.tgtype & 1 = 0  -- for each statement
     order by t.tgname
  loop
    execute replace(
      v_trigger.definition, format(' ON tasker.%I ', p_from_table), format(' ON tasker.%I ', p_to_table)
    );
    if v_trigger.tgenabled = 'A' then
      execute format('alter table tasker.%I enable always trigger %I', p_to_table, v_trigger.tgname);
    end if;
  end loop;
end;
$$;

comment on function tasker.copy_statement_triggers is
$$Gives a partition the statement-level triggers of its parent, which it does not inherit.$$;
