create or replace function tasker.template_cycle_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_count  integer := jsonb_array_length(p_template -> 'steps');
  v_places jsonb   := tasker.step_places(p_template -> 'steps');
  v_from   integer[];
  v_to     integer[];
  v_cycle  integer[];
  v_names  text;
begin
  select
    coalesce(array_agg((v_places ->> coalesce(d.value ->> 'step', d.value #>> '{}'))::integer), '{}'),
    coalesce(array_agg(s.no::integer), '{}')
    into v_from, v_to
    from jsonb_array_elements(p_template -> 'steps') with ordinality as s (value, no)
   cross join jsonb_array_elements(nullif(s.value -> 'dependencies', 'null')) as d (value);

  v_cycle := tasker.graph_cycle(tasker.graph_levels(v_count, v_from, v_to), v_from, v_to);
  if v_cycle is null then
    return;
  end if;

  select string_agg(p_template -> 'steps' -> (c.no - 1) ->> 'name', ' -> ' order by c.place)
    into v_names
    from unnest(v_cycle[: 50] || v_cycle[1]) with ordinality as c (no, place)
   where cardinality(v_cycle) <= 50
      or c.place <= 50;

  return query
  select
    format('steps[%s].dependencies', v_cycle[1] - 1),
    'the steps wait for one another in a cycle: ' || v_names
      || case when cardinality(v_cycle) > 50 then format(' -> ... (%s steps)', cardinality(v_cycle)) else '' end,
    'Each depends on the one before it, and the first on the last.';
end;
$$;

comment on function tasker.template_cycle_problems is
$$Returns the problem of a cycle in the dependencies of a template, with the steps of the cycle in order. Returns no row if there is no cycle. The names in the template are valid.$$;
