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
      when 'own' then 'pgtasker''s own schema pgmq is in use'
      when 'extension' then format('the extension pgmq %s is in use', (select e.extversion from pg_extension as e where e.extname = 'pgmq'))
      when 'foreign' then 'schema pgmq is in use; another role installed it without the extension'
      else 'schema pgmq is missing or incomplete: queues do not work'
    end,
    case k.kind when 'none' then 'create extension pgmq, or migrate down and up again.' end
  from tasker.pgmq_kind() as k (kind);

  return query
  select
    u.name,
    'ok',
    case
      when e.extname is not null then format('the extension is installed, version %s', e.extversion)
      when a.name is not null then format('not installed (version %s is available): not needed', a.default_version)
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

comment on function tasker.doctor_extensions is
$$Reports which of the extensions that pgtasker can use are installed, and which pgmq is in use.$$;
