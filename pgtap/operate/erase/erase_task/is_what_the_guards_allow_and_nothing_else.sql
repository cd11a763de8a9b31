begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top', 'left', 'right', 'bottom');
select throws_ok($$ update tasker.step_log set reason = 'erased' $$, 'TK403', 'rows of tasker.step_log are never changed or deleted', 'a log is not changed by hand');
select throws_ok(
  $$ update tasker.tasks set context = '{"erased": true}' $$, 'TK403', 'rows of tasker.tasks never change the columns that they were created with',
  'nor a context'
);
select throws_ok(
  $$ update tasker.tasks set erased_at = now() $$, 'TK403', 'rows of tasker.tasks never change the columns that they were created with', 'nor is a task said to be erased'
);
select throws_ok(
  $$ update tasker.task_log set reason = 'x' -- tasker.erase_rows(uuid) line 1 $$, 'TK403', 'rows of tasker.task_log are never changed or deleted',
  'a statement that names the function in a comment is refused'
);
create function tasker.erase_rows() returns void language sql as $$ update tasker.task_log set reason = 'x' $$;
select throws_ok($$ select tasker.erase_rows() $$, 'TK403', 'rows of tasker.task_log are never changed or deleted', 'so is a function with that name and other arguments');
select from tasker.erase_task(tasker_test.the_task(), 'asked for');
select throws_ok($$ update tasker.step_log set reason = 'x' $$, 'TK403', 'rows of tasker.step_log are never changed or deleted', 'the guard stands again after the erasure');
select throws_ok($$ update tasker.erasures set reason = 'x' $$, 'TK403', 'rows of tasker.erasures are never changed or deleted', 'an erasure is not changed');
select throws_ok($$ delete from tasker.erasures $$, 'TK403', 'rows of tasker.erasures are never changed or deleted', 'nor deleted');
select throws_ok($$ truncate tasker.erasures $$, 'TK403', 'rows of tasker.erasures are never changed or deleted', 'nor emptied');

select * from finish();
rollback;
