create or replace function tasker.doctor_extensions()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select
    'pgmq',
    case k.kind when 'none' then 'warn' else 'ok' end,
    case k.kind
      when 'own' then 'the schema pgmq that pgtasker brought is used'
      when 'extension' then format('the extension pgmq %s is used', (select e.extversion from pg_extension as e where e.extname = 'pgmq'))
      when 'foreign' then 'schema pgmq is used; somebody else installed it without the extension'
      else 'schema pgmq is not there, or not whole: queues do not work'
    end,
    case k.kind when 'none' then 'create extension pgmq, or migrate down and up again.' end
  from tasker.pgmq_kind() as k (kind);

  return query
  select
    u.name,
    'ok',
    case
      when e.extname is not null then format('the extension is installed, version %s', e.extversion)
      when a.name is not null then format('not installed (version %s could be): not needed', a.default_version)
      else 'not installed: not needed'
    end,
    null::text
  from unnest(array['pg_cron', 'pg_partman']) as u (name)
  left join pg_extension as e
    on e.extname = u.name
  left join pg_available_extensions as a
    on a.name = u.name
  order by u.name;
end;
$$;

comment on function tasker.doctor_extensions() is
$$Which of the extensions that pgtasker can use are there, and what serves as pgmq.$$;

revoke all on function tasker.doctor_extensions() from public;
