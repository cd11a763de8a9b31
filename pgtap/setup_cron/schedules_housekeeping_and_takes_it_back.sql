-- With a stand-in for pg_cron that keeps the list; "make test-cron" has the real one.
begin;
select plan(6);

create schema cron;
create table cron.job (jobid bigserial, schedule text, command text, username text default current_user, jobname text unique);
create function cron.schedule(text, text, text) returns bigint language sql as $$
  insert into cron.job (jobname, schedule, command) values ($1, $2, $3)
  on conflict (jobname) do update set schedule = excluded.schedule, command = excluded.command
  returning jobid;
$$;
create function cron.unschedule(bigint) returns boolean language sql as $$
  delete from cron.job where jobid = $1 returning true;
$$;

select set_has(
  'select job_name, command from tasker.setup_cron()',
  $$
  values
    ('pgtasker-partitions', 'select tasker.ensure_partitions()'),
    ('pgtasker-retention', 'select * from tasker.apply_retention()'),
    ('pgtasker-identities', 'select tasker.gc_identities()'),
    ('pgtasker-archives', 'select tasker.gc_queue_archives()'),
    ('pgtasker-analyze', 'select tasker.analyze_parents()')
  $$,
  'all of housekeeping'
);
select is(
  (select count(*) from cron.job where jobname = 'pgtasker-orchestrate'),
  (select count(*) from pg_proc where proname = 'orchestrate' and pronamespace = 'tasker'::regnamespace),
  'and the orchestrator, if there is one'
);
select set_eq('select job_id from tasker.setup_cron()', 'select jobid from cron.job', 'a second time they are the same');
select is_empty(
  $$
  select j.command
    from cron.job as j
   where to_regproc(substring(j.command from 'tasker\.\w+')) is null
  $$,
  'each calls a function that there is'
);
select set_has('select job_name from tasker.setup_cron(false)', $$ values ('pgtasker-partitions'), ('pgtasker-analyze') $$, 'they can be taken back');
select is_empty('select from cron.job', 'all of them');

select * from finish();
rollback;
