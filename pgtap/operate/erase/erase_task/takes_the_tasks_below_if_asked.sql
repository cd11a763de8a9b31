begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.family();
select tasker.fire_due_timers();
select tasker_test.child();
select tasker_test.run('a', 'b');
select tasker.fire_due_timers();
select tasker_test.parent();
select throws_like(
  $$ select tasker.erase_task(tasker_test.the_task(), 'x', true) $$, '%has not ended', 'a parent that is open is refused'
);
select tasker_test.run('after');
select results_eq(
  $$ select e.name, e.root_uuid = tasker_test.the_task(), e.outcome from tasker.erase_task(tasker_test.the_task(), 'x') as e $$,
  $$ values ('parent', true, 'erased') $$, 'without being asked the parent alone is erased'
);
select results_eq(
  $$ select e.name, e.root_uuid = tasker_test.the_task(), e.outcome from tasker.erase_task(tasker_test.the_task(), 'x', true) as e order by 1 $$,
  $$ values ('child', true, 'erased'), ('parent', true, 'already') $$, 'if asked its child is erased, too'
);
select is((select count(*) from tasker.tasks as t where t.context = '{"erased": true}'), 2::bigint, 'both contexts are gone');
select is_empty($$ select tasker.check_integrity() $$, 'nothing is wrong afterwards');

select * from finish();
rollback;
