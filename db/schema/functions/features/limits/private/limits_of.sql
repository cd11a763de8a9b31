create or replace function tasker.limits_of(p_step jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select jsonb_path_query_array(p_step, '$.limit') || jsonb_path_query_array(p_step, '$.limits[*].limit');
end;

comment on function tasker.limits_of is
$$Returns the names of the limits of a step in normal form as an array, the step's own limit first.$$;
