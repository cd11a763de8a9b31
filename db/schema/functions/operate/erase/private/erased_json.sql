create or replace function tasker.erased_json(p_value jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_value = '{}' then p_value when p_value is not null then '{"erased": true}'::jsonb end;
end;

comment on function tasker.erased_json is
$$Returns what an erasure leaves of a value: {"erased": true}, null and {} stay as they are.$$;
