create or replace function tasker.note_many(p_object text, p_asked jsonb, p_namespaces text[], p_outcomes text[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_outcomes = '{}' then
    return;
  end if;
  perform tasker.note_administration(
    'tasks', p_object, array(select distinct u.namespace from unnest(p_namespaces) as u (namespace) order by 1), 'update',
    p_becomes => p_asked || jsonb_build_object('outcomes', (
      select jsonb_object_agg(o.outcome, o.count)
        from (select u.outcome, count(*) as count from unnest(p_outcomes) as u (outcome) group by u.outcome) as o
    ))
  );
end;
$$;

comment on function tasker.note_many is
$$Writes one entry into tasker.administration_log for a change of many tasks or steps: the filters, and the number of
each outcome. Writes no entry if the change found no task or step.$$;
