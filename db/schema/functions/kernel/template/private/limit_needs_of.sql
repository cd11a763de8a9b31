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
$$Returns the needs of a step in normal form beyond one place of one limit, and the path of the bound that a task gives its key, as its template's row keeps them. Null for a step without them.$$;
