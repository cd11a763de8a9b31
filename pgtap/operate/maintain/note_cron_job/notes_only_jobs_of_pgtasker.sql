begin;
select plan(4);

select lives_ok($$ select tasker.note_cron_job('pgtasker-maintenance', null, '* * * * * select 1') $$, 'a new job is noted');
select is((select (l.object, l.action, l.becomes #>> '{}')::text from tasker.list_administration('cron_jobs') as l), '(pgtasker-maintenance,insert,"* * * * * select 1")', 'as it is');
select throws_ok(
  $$ select tasker.note_cron_job('mine', null, 'x') $$, 'TK422', '"mine" is not a change of a job of pgtasker', 'no other job is noted'
);
select throws_ok(
  $$ select tasker.note_cron_job('pgtasker-maintenance', null, null) $$, 'TK422', '"pgtasker-maintenance" is not a change of a job of pgtasker', 'nor is no change'
);

select * from finish();
rollback;
