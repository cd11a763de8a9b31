create or replace function tasker.step_places(p_steps jsonb)
  returns jsonb
  language plpgsql
  immutable
as $$
begin
  return (
    select coalesce(jsonb_object_agg(e.value ->> 'name', e.no order by e.no desc), '{}')
      from jsonb_array_elements(p_steps) with ordinality as e (value, no)
     where e.value ->> 'name' is not null
  );
end;
$$;

comment on function tasker.step_places is
$$Returns an object with the first position of each name in an array of steps, counted from 1. A look-up in the object replaces a join, which would compare each step with each other step.$$;
