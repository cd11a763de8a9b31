create or replace function tasker.map_failure(p_map tasker.workflow_steps, p_failures integer)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select format(
    '%s of its %s elements failed, and allow_failures is %s',
    p_failures, (p_map).expansion ->> 'elements', (p_map).for_each ->> 'allow_failures'
  );
end;

comment on function tasker.map_failure is
$$Returns the error of a map with more failed elements than allow_failures.$$;
