create or replace function tasker.graph_cycle(p_levels integer[], p_from integer[], p_to integer[])
  returns integer[]
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_parent integer[] := array_fill(0, array[cardinality(p_levels)]);
  v_seen   boolean[] := array_fill(false, array[cardinality(p_levels)]);
  v_node   integer := array_position(p_levels, -1);
  v_start  integer;
  v_cycle  integer[] := '{}';
begin
  if v_node is null then
    return null;
  end if;

  -- Each node without a level has a parent without a level, so the path from parent to parent ends in a cycle.
  for i in 1 .. cardinality(p_from) loop
    if p_levels[p_from[i]] = -1 and p_levels[p_to[i]] = -1 then
      v_parent[p_to[i]] := p_from[i];
    end if;
  end loop;
  while not v_seen[v_node] loop
    v_seen[v_node] := true;
    v_node := v_parent[v_node];
  end loop;

  v_start := v_node;
  loop
    v_cycle := v_cycle || v_node;
    v_node := v_parent[v_node];
    exit when v_node = v_start;
  end loop;

  -- List parents first, and begin with the lowest number.
  select array_agg(c.node order by c.place desc)
    into v_cycle
    from unnest(v_cycle) with ordinality as c (node, place);
  select array_position(v_cycle, min(c.node))
    into v_start
    from unnest(v_cycle) as c (node);
  return v_cycle[v_start :] || v_cycle[: v_start - 1];
end;
$$;

comment on function tasker.graph_cycle is
$$Returns the nodes of a cycle of a graph, or null if the graph has no cycle. Each node is the parent of the next node, and the last node is the parent of the first. The list begins with the lowest number.

p_levels is the result of tasker.graph_levels for the same graph. The cost is linear in the number of nodes and edges.$$;
