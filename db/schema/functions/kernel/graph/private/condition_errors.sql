create or replace function tasker.condition_errors(p_steps jsonb)
  returns jsonb
  language plpgsql
  immutable
as $$
begin
  return (
    select coalesce(jsonb_object_agg(c.condition, c.error), '{}')
      from (
        select x.condition, tasker.condition_error(x.condition) as error
          from (
            select distinct d.value ->> 'when' as condition
              from jsonb_array_elements(p_steps) as s (value)
             cross join jsonb_array_elements(nullif(s.value -> 'dependencies', 'null')) as d (value)
             where d.value ->> 'when' is not null
          ) as x
        offset 0
      ) as c
     where c.error is not null
  );
end;
$$;

comment on function tasker.condition_errors is
$$Returns the invalid conditions in an array of steps, each with the reason why it cannot be the condition of an edge.$$;
