begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b', 'c');
select tasker_test.launch('wide');
select from tasker_test.claim();
select is(tasker_test.fail('a', '''; drop table tasker.tasks; -- "\u0007 %s $1'), 'retrying', 'hostile text is accepted as an error');
select is(tasker_test.fail('b', ''), 'retrying', 'an empty error is accepted');
select throws_ok(
  $$ select tasker_test.fail('c', repeat('é', 65537)) $$,
  'TK413', 'an error is longer than 65,536 characters', 'an error that is too long is refused'
);
select is(tasker_test.fail('c', repeat('é', 65536)), 'retrying', 'an error of the largest size is accepted');
select results_eq(
  $$ select s.last_error from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.name in ('a', 'b') order by 1 $$,
  $$ values (''), ('''; drop table tasker.tasks; -- "\u0007 %s $1') $$, 'each error is stored unchanged'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
