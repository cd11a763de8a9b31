begin;
select plan(5);

select tasker_test.register_echo();

select s.id as first from tasklib.submit_task('echo', p_dedup_key => 'k') as s \gset
select results_eq(
  $$ select s.id, s.created from tasklib.submit_task('echo', '{"n": 2}', p_dedup_key => 'k') as s $$,
  format('values (%L::uuid, false)', :'first'), 'the key finds the pending task'
);
select tasker_test.claim_echo();
select results_eq(
  $$ select s.id, s.created from tasklib.submit_task('echo', p_dedup_key => 'k') as s $$,
  format('values (%L::uuid, false)', :'first'), 'the key finds the running task'
);
select tasker_test.complete_echo(:'first');
select s.id as second, s.created from tasklib.submit_task('echo', p_dedup_key => 'k') as s \gset
select ok(:'created'::boolean and :'second' <> :'first', 'the key creates a new task when the first has ended');
select ok((select s.created from tasklib.submit_task('echo', p_dedup_key => 'other') as s), 'another key creates a new task');
select tasker_test.register_echo(p_name => 'echo2');
select ok((select s.created from tasklib.submit_task('echo2', p_dedup_key => 'k') as s), 'the same key under another name creates a new task');

select * from finish();
rollback;
