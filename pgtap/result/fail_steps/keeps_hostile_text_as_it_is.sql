begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b', 'c');
select tasker_test.launch('wide');
select from tasker_test.claim();
select is(tasker_test.fail('a', '''; drop table tasker.tasks; -- "\u0007 %s $1'), 'retrying', 'hostile text');
select is(tasker_test.fail('b', ''), 'retrying', 'an empty one');
select throws_ok(
  $$ select tasker_test.fail('c', repeat('é', 65537)) $$,
  'TK413', 'an error is longer than 65,536 characters', 'one that is too long is refused'
);
select is(tasker_test.fail('c', repeat('é', 65536)), 'retrying', 'a long one');
select results_eq(
  $$ select s.last_error from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name in ('a', 'b') order by 1 $$,
  $$ values (''), ('''; drop table tasker.tasks; -- "\u0007 %s $1') $$, 'is kept as it is'
);
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
