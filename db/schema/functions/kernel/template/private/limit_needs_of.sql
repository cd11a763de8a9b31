create or replace function tasker.limit_needs_of(p_step jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select nullif(jsonb_strip_nulls(jsonb_build_object(
    'units', p_step -> 'limit_units',
    'hold', p_step -> 'limit_hold',
    'bound', p_step -> 'limit_bound',
    'bound_max', p_step -> 'limit_bound_max',
    'limits', p_step -> 'limits'
  )), '{}');
end;

comment on function tasker.limit_needs_of is
$$Returns the fields of a step about its limits ("units", "hold", "bound", "limits"), as the row of its template keeps them. The step is in normal form. Returns null if the step needs only one place of one limit.$$;
