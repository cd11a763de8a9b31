create or replace function tasker.doctor_autovacuum()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tables text;
begin
  select string_agg(c.oid::regclass::text, ', ' order by c.oid::regclass::text)
    into v_tables
    from (
      select c.oid
        from pg_class as c
       where c.relnamespace = 'tasker'::regnamespace
         and 'autovacuum_enabled=false' = any (c.reloptions)
       order by c.relname
       limit 10
    ) as c;

  return query
  select
    'autovacuum',
    case when current_setting('autovacuum') = 'off' or current_setting('track_counts') = 'off' then 'fail'
         when v_tables is not null then 'warn'
         else 'ok'
    end,
    case when current_setting('autovacuum') = 'off' then 'autovacuum is off'
         when current_setting('track_counts') = 'off' then 'autovacuum has no effect: track_counts is off'
         when v_tables is not null then format('autovacuum is off for %s', v_tables)
         else 'autovacuum is on'
    end,
    case when current_setting('autovacuum') = 'off' or current_setting('track_counts') = 'off'
           then 'Turn it on: without it every step makes the queue slower to read.'
         when v_tables is not null then 'alter table … reset (autovacuum_enabled)'
    end;
end;
$$;

comment on function tasker.doctor_autovacuum is
$$Checks that autovacuum works, in general and on pgtasker's tables.$$;
