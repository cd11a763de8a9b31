create or replace function tasker.erased_metadata(p_metadata jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_metadata ? 'error' then '{"error": "erased", "erased": true}'::jsonb else tasker.erased_json(p_metadata) end;
end;

comment on function tasker.erased_metadata is
$$Returns the metadata of a transition after an erasure: {"erased": true}, with the error "erased" if the metadata had an error.$$;
