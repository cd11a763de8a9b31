create or replace function tasker.mapped_claims(p_claims jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    (
      select jsonb_object_agg(c.claim, c.value)
        from (
          select m.claim, tasker.claim_value(p_claims, m.claim) as value
            from tasker.access_maps as m
           group by m.claim
        ) as c
       where jsonb_typeof(c.value) in ('string', 'array', 'number', 'boolean')
    ),
    '{}'
  );
end;
$$;

comment on function tasker.mapped_claims is
$$Returns the claims of a person that access maps name, each under the name that the map uses.$$;
