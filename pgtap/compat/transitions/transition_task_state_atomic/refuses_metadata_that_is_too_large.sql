begin;
select plan(3);

select tasker_test.make_task();
select tasker.set_setting('result_bytes', '1000');

prepare start (integer) as
  select tasker.transition_task_state_atomic(
    tasker_test.the_task(), 'pending', 'initializing', null, jsonb_build_object('note', repeat('x', $1 - length('{"note": ""}')))
  );

select throws_ok(
  'execute start (1001)',
  'TK413', 'results and metadata of 1001 bytes are too large',
  'a byte more than the setting allows is refused'
);
select is(tasker.get_current_task_state(tasker_test.the_task()), 'pending', 'the task keeps its state');
select lives_ok('execute start (1000)', 'as many bytes as the setting allows are accepted');

select * from finish();
rollback;
