create or replace function tasker.register_steps(p_namespace text, p_steps jsonb)
  returns void
  language plpgsql
as $$
begin
  perform tasker.insert_limits(p_namespace, p_steps);
  if jsonb_path_exists(p_steps, '$[*] ? (exists (@.sql) || @.compensate starts with "sql:")') then
    perform tasker.check_sql_functions(p_namespace, p_steps);
  end if;
end;
$$;

comment on function tasker.register_steps is
$$Door: steps in normal form are about to be inserted. Their handlers have been inserted. Inserts the rows that features
need for these steps, and checks the names in the steps.$$;
