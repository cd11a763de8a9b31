create or replace function tasker.erased_outcome(p_metadata jsonb)
  returns jsonb
  language plpgsql
  stable
  strict
  parallel safe
  set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_strip_nulls(jsonb_build_object(
    'count', case when jsonb_typeof(p_metadata -> 'count') = 'number' then p_metadata -> 'count' end,
    'step_nos', case
      when jsonb_typeof(p_metadata -> 'step_nos') = 'array' and not jsonb_path_exists(p_metadata, '$.step_nos[*] ? (@.type() <> "number")')
        then p_metadata -> 'step_nos'
    end
  )) || coalesce(tasker.erased_metadata(p_metadata - '{count,step_nos}'::text[]), '{}');
end;
$$;

comment on function tasker.erased_outcome is
$$Returns metadata of the engine after an erasure: only the count of steps and the step numbers.$$;
