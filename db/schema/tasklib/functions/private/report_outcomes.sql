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
      -- "except" is hashed, even with hash joins off.
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
$$Returns the outcome of each task of a report, in order. At these positions that is the given outcome (p_outcome if null), and stale at every other position.$$;
