create or replace function tasker.names_limit(p_steps jsonb, p_name text)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select exists (select from jsonb_array_elements(p_steps) as e (value) where tasker.limits_of(e.value) ? p_name);
end;

comment on function tasker.names_limit is
$$Returns true if one of these steps in normal form names the limit.$$;
