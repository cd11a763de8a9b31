create or replace function tasker.gathered_at_once(p_settings tasker.settings_now)
  returns integer
  language plpgsql
  immutable
as $$
begin
  return 134217728 / p_settings.result_bytes;
end;
$$;

comment on function tasker.gathered_at_once is
$$Returns the number of parents whose results always fit into one value, however large the results are.$$;
