begin;
select plan(3);

select tasker_test.take_turn();

select tasker_test.start_task() as task \gset
select tasker_test.move_task(:'task', 'cancelled');
select throws_ok(
  format($$ select tasker.add_steps(%L, '[{"name": "a"}]') $$, :'task'),
  'TK409', format('task %s has ended: it is cancelled', :'task'), 'a task that has ended is refused'
);
select throws_ok(
  $$ select tasker.add_steps('01900000-0000-7000-8000-000000000000', '[{"name": "a"}]') $$,
  'TK404', 'task 01900000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused'
);
select throws_ok($$ select tasker.add_steps(null, '[]') $$, 'TK404', 'task null does not exist', 'a null task is refused');

select * from finish();
rollback;
