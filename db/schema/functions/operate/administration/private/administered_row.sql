create or replace function tasker.administered_row(p_kind tasker.administered_tables, p_row jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Keep the name of a role for people, and its oid so that the role is found again after it was renamed.
  return (p_row - p_kind.left_out) || case
    when p_row ? 'role' then jsonb_build_object('role_oid', (p_row ->> 'role')::regrole::oid::text)
    else '{}'
  end;
end;
$$;

comment on function tasker.administered_row is
$$Returns the columns of a row that the log of administration keeps.$$;
