begin;
select plan(3);

select tasker_test.register_echo();

select s.id as first from tasklib.submit_task('echo', p_dedup_key => 'k', p_dedup_kept => true) as s \gset
select tasker_test.claim_echo();
select tasker_test.complete_echo(:'first');
select results_eq(
  $$ select s.id, s.created from tasklib.submit_task('echo', p_dedup_key => 'k') as s $$,
  format('values (%L::uuid, false)', :'first'), 'a kept key finds the completed task'
);
select is(tasklib.purge(tasklib.clock() + interval '1 second'), 1, 'the task is purged');
select ok((select s.created from tasklib.submit_task('echo', p_dedup_key => 'k') as s), 'the key creates a new task after the purge');

select * from finish();
rollback;
