create or replace function tasker.map_failures(p_map tasker.workflow_steps)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  -- Returns the settled instances that did not succeed: the rest of the counters without the parents of the map
  -- itself.
  select (p_map).total_parents - (p_map).pending_parents - (p_map).satisfied_parents
    - jsonb_array_length((p_map).expansion -> 'parents') + ((p_map).expansion ->> 'satisfied')::integer;
end;

comment on function tasker.map_failures is
$$Returns how many instances of an expanded map have been cancelled, because their failure was tolerated or by an operator.$$;
