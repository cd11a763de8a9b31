create or replace function tasker.erased_json(p_value jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_value = '{}' then p_value when p_value is not null then '{"erased": true}'::jsonb end;
end;

comment on function tasker.erased_json is
$$Returns {"erased": true}, by which an erasure replaces a value. Returns null and {} unchanged.$$;
