create or replace function tasker.map_failures(p_map tasker.workflow_steps)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  -- The settled parents that did not satisfy the map, without the map's own parents, are the instances that did not
  -- succeed.
  select (p_map).total_parents - (p_map).pending_parents - (p_map).satisfied_parents
    - jsonb_array_length((p_map).expansion -> 'parents') + ((p_map).expansion ->> 'satisfied')::integer;
end;

comment on function tasker.map_failures is
$$Returns the number of cancelled instances of an expanded map. An instance is cancelled if its failure was tolerated, or by an operator.$$;
