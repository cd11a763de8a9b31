create or replace function tasker.template_handlers(p_template jsonb)
  returns setof tasker.template_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  with live as (
    select w.handlers
      from tasker.workers as w
     where w.last_seen_at > tasker.clock() - interval '1 minute'
       and (w.namespaces = '{}' or p_template ->> 'namespace' = any (w.namespaces))
  )
  select
    'no_handler', 'warn', null::text, h.step, h.handler, 0::bigint,
    format('no running worker has the handler "%s" of step "%s"', h.handler, h.step),
    jsonb_strip_nulls(jsonb_build_object('nearest', tasker.nearest_name(h.handler, array(
      select distinct u.name from live as l cross join lateral unnest(l.handlers) as u (name) order by u.name limit 1000
    ))))
  from (
    select distinct on (x.handler) s.value ->> 'name' as step, x.handler, s.no
      from jsonb_array_elements(p_template -> 'steps') with ordinality as s (value, no)
     cross join lateral (values (s.value ->> 'handler'), (s.value ->> 'compensate')) as x (handler)
     where x.handler is not null
     order by x.handler, s.no
  ) as h
  -- A worker without a list of handlers may have any handler.
  where not exists (select from live as l where l.handlers is null or h.handler = any (l.handlers))
  order by h.no, h.handler
  limit 100;
end;
$$;

comment on function tasker.template_handlers is
$$Returns the steps of a template whose handler no worker that was seen within the last minute has.
list_unserved_steps() has the same rule.$$;
