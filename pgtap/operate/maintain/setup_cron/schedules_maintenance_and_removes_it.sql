-- With a stand-in for pg_cron that keeps the list; "make test-cron" has the real one.
begin;
select plan(9);

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

select set_eq(
  'select job_name, schedule from tasker.setup_cron()',
  $$ values ('pgtasker-maintenance', '* * * * *'), ('pgtasker-orchestrate', '* * * * *'), ('pgtasker-sql', '* * * * *'), ('pgtasker-sql-alone', '* * * * *') $$,
  'it schedules maintenance, orchestration and SQL steps'
);
select alike(
  (select j.command from cron.job as j where j.jobname = 'pgtasker-maintenance'), '%tasker.run_maintenance()%commit;%', 'each duty runs in a transaction of its own'
);
select set_eq('select job_id from tasker.setup_cron()', 'select jobid from cron.job', 'a second call keeps the same jobs');
select is_empty(
  $$
  select j.command
    from cron.job as j
   where to_regproc(substring(j.command from 'tasker\.\w+')) is null
  $$,
  'each command calls a function that exists'
);
select tasker_test.take_turn();
select tasker_test.freeze();
select from tasker.register_task_template('{"namespace": "test", "name": "one", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
select from tasker.create_task('test', 'one', p_deferred => true);
select j.command as command from cron.job as j where j.jobname = 'pgtasker-orchestrate' \gset
:command;
select set_eq(
  'select distinct l.processor_uuid from tasker.task_transition_log as l', $$ values (md5('pg_cron')::uuid) $$, 'the log names pg_cron as the processor'
);
select set_eq(
  $$ select l.object, l.action from tasker.list_administration('cron_jobs') as l $$,
  $$ values ('pgtasker-maintenance', 'insert'), ('pgtasker-orchestrate', 'insert'), ('pgtasker-sql', 'insert'), ('pgtasker-sql-alone', 'insert') $$, 'the log of administration has each new job once'
);
select set_eq('select job_name from tasker.setup_cron(false, ''ann'', ''we have workers'')', $$ values ('pgtasker-maintenance'), ('pgtasker-orchestrate'), ('pgtasker-sql'), ('pgtasker-sql-alone') $$, 'false removes the jobs');
select is_empty('select from cron.job', 'no job is left');
select set_eq(
  $$ select l.object, l.actor, l.reason, l.becomes from tasker.list_administration('cron_jobs') as l where l.action = 'delete' $$,
  $$ values ('pgtasker-maintenance', 'ann', 'we have workers', null::jsonb), ('pgtasker-orchestrate', 'ann', 'we have workers', null),
            ('pgtasker-sql', 'ann', 'we have workers', null), ('pgtasker-sql-alone', 'ann', 'we have workers', null) $$,
  'and that they are gone, with who and why'
);

select * from finish();
rollback;
