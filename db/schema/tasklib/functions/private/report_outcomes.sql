create or replace function tasklib.report_outcomes(
  p_ids        uuid[],
  p_positions  integer[],
  p_outcomes   text[],
  p_outcome    text
)
  returns setof tasklib.task_outcomes
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select o.position, p_ids[o.position], o.outcome
    from (
      select u.position, coalesce(u.outcome, p_outcome) as outcome
        from unnest(p_positions, p_outcomes) as u (position, outcome)
      union all
      -- PostgreSQL can hash "except" even if enable_hashjoin is off.
      (
        select s.position, 'stale'
          from generate_series(1, cardinality(p_ids)) as s (position)
        except
        select u.position, 'stale'
          from unnest(p_positions) as u (position)
      )
    ) as o
   order by o.position;
end;
$$;

comment on function tasklib.report_outcomes is
$$Returns the outcome of each task of a report, in the order of p_ids. A task at one of p_positions has the outcome from p_outcomes, or p_outcome if that is null. Every other task is stale.$$;
