create or replace function tasker.graph_levels(p_nodes integer, p_from integer[], p_to integer[])
  returns integer[]
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_levels  integer[] := array_fill(0, array[p_nodes]);
  v_parents integer[] := array_fill(0, array[p_nodes]);
  v_first   integer[] := array_fill(0, array[p_nodes]);
  v_next    integer[] := array_fill(0, array[cardinality(p_from)]);
  v_queue   integer[] := array_fill(0, array[p_nodes]);
  v_tail    integer := 0;
  v_head    integer := 0;
  v_node    integer;
  v_child   integer;
  v_edge    integer;
begin
  -- This is Kahn's algorithm with arrays, which visits each node and edge once. A single statement cannot compute the
  -- levels in linear time. A recursive union finds reachable nodes but not the longest path, and one statement for each
  -- level makes a long chain expensive.
  for i in 1 .. cardinality(p_from) loop
    v_next[i] := v_first[p_from[i]];
    v_first[p_from[i]] := i;
    v_parents[p_to[i]] := v_parents[p_to[i]] + 1;
  end loop;
  for i in 1 .. p_nodes loop
    if v_parents[i] = 0 then
      v_tail := v_tail + 1;
      v_queue[v_tail] := i;
    end if;
  end loop;

  while v_head < v_tail loop
    v_head := v_head + 1;
    v_node := v_queue[v_head];
    v_edge := v_first[v_node];
    while v_edge > 0 loop
      v_child := p_to[v_edge];
      v_levels[v_child] := greatest(v_levels[v_child], v_levels[v_node] + 1);
      v_parents[v_child] := v_parents[v_child] - 1;
      if v_parents[v_child] = 0 then
        v_tail := v_tail + 1;
        v_queue[v_tail] := v_child;
      end if;
      v_edge := v_next[v_edge];
    end loop;
  end loop;

  if v_tail < p_nodes then
    for i in 1 .. p_nodes loop
      if v_parents[i] > 0 then
        v_levels[i] := -1;
      end if;
    end loop;
  end if;
  return v_levels;
end;
$$;

comment on function tasker.graph_levels is
$$Returns the level of each node 1 to p_nodes of a graph: 0 for a node without parents, -1 for a node on a cycle or below a cycle, and otherwise 1 more than the highest level of its parents.

The two arrays hold the edges as pairs. The cost is linear in the number of nodes and edges.$$;
