begin;
select plan(3);

select tasker_test.register_echo();

select s.id as first from tasklib.submit_task('echo', p_dedup_key => 'k', p_dedup_kept => true) as s \gset
select tasker_test.claim_echo();
select tasker_test.complete_echo(:'first');
select results_eq(
  $$ select s.id, s.created from tasklib.submit_task('echo', p_dedup_key => 'k') as s $$,
  format('values (%L::uuid, false)', :'first'), 'as long as it is kept'
);
select is(tasklib.purge(tasklib.clock() + interval '1 second'), 1, 'until it is purged');
select ok((select s.created from tasklib.submit_task('echo', p_dedup_key => 'k') as s), 'then it is forgotten');

select * from finish();
rollback;
