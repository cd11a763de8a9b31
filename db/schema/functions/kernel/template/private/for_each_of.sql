create or replace function tasker.for_each_of(p_step jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_step ? 'for_each' then (p_step -> 'for_each') || jsonb_strip_nulls(jsonb_build_object(
    'max_parallel', p_step -> 'max_parallel',
    'allow_failures', p_step -> 'allow_failures'
  )) end;
end;

comment on function tasker.for_each_of is
$$Returns the reference to the array of a map, as the row of the step keeps it. The step is in normal form. Returns null for a step that is no map.$$;
