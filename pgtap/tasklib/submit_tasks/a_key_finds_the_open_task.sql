begin;
select plan(5);

select tasker_test.register_echo();

select s.id as first from tasklib.submit_task('echo', p_dedup_key => 'k') as s \gset
select results_eq(
  $$ select s.id, s.created from tasklib.submit_task('echo', '{"n": 2}', p_dedup_key => 'k') as s $$,
  format('values (%L::uuid, false)', :'first'), 'while it is pending'
);
select tasker_test.claim_echo();
select results_eq(
  $$ select s.id, s.created from tasklib.submit_task('echo', p_dedup_key => 'k') as s $$,
  format('values (%L::uuid, false)', :'first'), 'while it runs'
);
select tasker_test.complete_echo(:'first');
select s.id as second, s.created from tasklib.submit_task('echo', p_dedup_key => 'k') as s \gset
select ok(:'created'::boolean and :'second' <> :'first', 'not when it has ended');
select ok((select s.created from tasklib.submit_task('echo', p_dedup_key => 'other') as s), 'nor for another key');
select tasker_test.register_echo(p_name => 'echo2');
select ok((select s.created from tasklib.submit_task('echo2', p_dedup_key => 'k') as s), 'nor for another name');

select * from finish();
rollback;
