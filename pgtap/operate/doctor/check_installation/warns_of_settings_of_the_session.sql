begin;
select plan(2);

set local synchronous_commit = off;
select results_eq(
  $$ select status, message from tasker.check_installation() where name = 'durability' $$,
  $$
  select case when bool_or(s.setting = 'off') then 'fail' else 'warn' end,
         case when bool_or(s.setting = 'off')
              then 'a crash of the server may destroy the database, because these settings are off: ' || string_agg(s.name, ', ' order by s.name) filter (where s.setting = 'off')
              else 'a crash of the server may lose the last commits: synchronous_commit is off'
         end
    from pg_settings as s
   where s.name in ('fsync', 'full_page_writes')
  $$,
  'synchronous_commit = off is reported, or fsync = off, which test servers have'
);

set local synchronous_commit = on;
set local track_counts = off;
select results_eq(
  $$ select status, message, hint from tasker.check_installation() where name = 'autovacuum' $$,
  $$
  values ('fail', case current_setting('autovacuum') when 'off' then 'autovacuum is off'
                       else 'autovacuum has no effect: track_counts is off' end,
          'Turn it on: without it every step makes the queue slower to read.')
  $$,
  'autovacuum without track_counts is a failure'
);

select * from finish();
rollback;
