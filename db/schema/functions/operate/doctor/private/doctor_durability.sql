create or replace function tasker.doctor_durability()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_off text := (
    select string_agg(s.name, ', ' order by s.name)
      from pg_settings as s
     where s.name in ('fsync', 'full_page_writes')
       and s.setting = 'off'
  );
begin
  return query
  select
    'durability',
    case when v_off is not null then 'fail' when current_setting('synchronous_commit') = 'off' then 'warn' else 'ok' end,
    case
      when v_off is not null then format('a crash of the server may destroy the database, because these settings are off: %s', v_off)
      when current_setting('synchronous_commit') = 'off' then 'a crash of the server may lose the last commits: synchronous_commit is off'
      else 'commits survive a crash of the server'
    end,
    case
      when v_off is not null then 'Turn it on in postgresql.conf.'
      when current_setting('synchronous_commit') = 'off' then 'Finished steps may run again, and a new task may be lost: turn it on if that matters.'
    end;
end;
$$;

comment on function tasker.doctor_durability is
$$Checks that commits survive a crash of the server.$$;
