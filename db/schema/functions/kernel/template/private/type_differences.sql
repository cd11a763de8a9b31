create or replace function tasker.type_differences(p_registered jsonb, p_types jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(
    jsonb_agg(
      jsonb_build_object('of', d.key, 'registered', left(d.registered, 200), 'named', left(d.named, 200))
      order by d.key
    ),
    '[]'
  )
  from (
    select n.key, o.value as registered, n.value as named
      from jsonb_each_text(p_types) as n (key, value)
      join jsonb_each_text(p_registered) as o (key, value)
        on o.key = n.key
       and o.value <> n.value
     order by n.key
     limit 100
  ) as d;
end;

comment on function tasker.type_differences is
$$Returns the differences between the types that a program names and the registered types, as an array of objects with the fields "of" ("$context", or the step whose result has the type), "registered" and "named". A type that is only registered or only named is no difference.$$;
