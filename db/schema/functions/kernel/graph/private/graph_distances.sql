create or replace function tasker.graph_distances(
  p_nodes   integer,
  p_starts  integer[],
  p_from    integer[],
  p_to      integer[]
)
  returns integer[]
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_distances integer[] := array_fill(-1, array[p_nodes]);
  v_first     integer[] := array_fill(0, array[p_nodes]);
  v_next      integer[] := array_fill(0, array[cardinality(p_from)]);
  v_queue     integer[] := array_fill(0, array[p_nodes]);
  v_tail      integer := 0;
  v_head      integer := 0;
  v_node      integer;
  v_edge      integer;
begin
  -- Search breadth first, with arrays, so that each node is reached once, by the shortest path.
  for i in 1 .. cardinality(p_from) loop
    v_next[i] := v_first[p_from[i]];
    v_first[p_from[i]] := i;
  end loop;
  foreach v_node in array p_starts loop
    v_distances[v_node] := 0;
    v_tail := v_tail + 1;
    v_queue[v_tail] := v_node;
  end loop;

  while v_head < v_tail loop
    v_head := v_head + 1;
    v_node := v_queue[v_head];
    v_edge := v_first[v_node];
    while v_edge > 0 loop
      if v_distances[p_to[v_edge]] < 0 then
        v_distances[p_to[v_edge]] := v_distances[v_node] + 1;
        v_tail := v_tail + 1;
        v_queue[v_tail] := p_to[v_edge];
      end if;
      v_edge := v_next[v_edge];
    end loop;
  end loop;
  return v_distances;
end;
$$;

comment on function tasker.graph_distances is
$$Returns the length of the shortest path to each node 1 to p_nodes of a graph from any of the start nodes. The length is -1 if there is no path.

The last two arrays hold the edges as pairs. Swap the arrays to go up instead of down. The cost is linear in the number of nodes and edges.$$;
