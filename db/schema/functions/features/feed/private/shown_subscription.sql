create or replace function tasker.shown_subscription(p_row jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return case
    when jsonb_typeof(p_row -> 'target') = 'object' then jsonb_set(p_row, '{target}', tasker.shown_target(p_row -> 'target'))
    else p_row
  end;
end;
$$;

comment on function tasker.shown_subscription is
$$Returns a subscription's row from the log of administration with the target as tasker.shown_target shows it to the caller.$$;
