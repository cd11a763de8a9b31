create or replace function tasker.nearest_name(p_name text, p_names text[])
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Compare the pairs of neighbouring letters, with the ends of a name counted as letters: the similarity is the share
  -- of pairs that both names have. It finds typing errors, and also "timeout" for "timeout_seconds".
  return (
    with given (pair) as (
      select distinct substr(x.padded, i, 2)
        from (select '^' || lower(left(p_name, 128)) || '$' as padded) as x
       cross join generate_series(1, length(x.padded) - 1) as i
    ),
    likeness as (
      select
        n.name,
        2.0 * count(g.pair) / (count(*) + (select count(*) from given)) as share
      from unnest(p_names) as n (name)
      cross join lateral (
        select distinct substr('^' || lower(n.name) || '$', i, 2) as pair
          from generate_series(1, length(n.name) + 1) as i
      ) as p
      left join given as g
        on g.pair = p.pair
      group by n.name
    )
    select l.name
      from likeness as l
     where l.share >= 0.35
     order by l.share desc, l.name
     limit 1
  );
end;
$$;

comment on function tasker.nearest_name is
$$Returns the name that a mistyped name most likely means. Returns null if no name is similar.$$;
