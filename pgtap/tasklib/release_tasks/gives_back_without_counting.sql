begin;
select plan(5);

select tasker_test.register_echo();
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();

select is((select o.outcome from tasklib.release_tasks('w', array[:'task'::uuid], '{1}') as o), 'released', 'the task is released');
select results_eq(
  format($$ select t.state::text, t.ready, t.retry_count, t.claim_no from tasklib.tasks as t where t.id = %L $$, :'task'),
  $$ values ('pending', true, 0, 1) $$, 'the task is pending and ready, and no retry is counted'
);
select is((select o.outcome from tasklib.release_tasks('w', array[:'task'::uuid], '{1}') as o), 'stale', 'a second release is stale');
select is((select c.claim_no from tasker_test.claim_echo() as c), 2, 'the next claim has the next claim number');
select throws_ok($$ select tasklib.release_tasks('w', null, null) $$, 'TK422', 'this is not a valid report about claimed tasks', 'null arrays are refused');

select * from finish();
rollback;
