begin;
select plan(5);

select tasker_test.start_task();
select tasker_test.move_step(tasker_test.the_step('top'), 'in_progress');
select tasker.set_setting('result_bytes', '1000');

create function pg_temp.metadata(p_bytes integer)
  returns jsonb
  language sql
as $$
  select jsonb_build_object('results', repeat('x', p_bytes - length('{"results": ""}')));
$$;

prepare record (integer) as
  select tasker.transition_step_state_atomic(
    tasker_test.the_step('top'), 'in_progress', 'enqueued_for_orchestration', null, pg_temp.metadata($1)
  );

select throws_ok(
  'execute record (1001)',
  'TK413', 'results and metadata of 1001 bytes are too large',
  'a byte more than the setting allows is refused'
);
select is(
  tasker.get_current_step_state(tasker_test.the_step('top')), 'in_progress',
  'the step is still in progress'
);
select lives_ok('execute record (1000)', 'as many bytes as the setting allows are accepted');

select tasker.set_setting('result_bytes', null);
select tasker_test.start_task();
select tasker_test.move_step(tasker_test.the_step('top'), 'in_progress');
select throws_ok(
  'execute record (1048577)',
  'TK413', 'results and metadata of 1048577 bytes are too large',
  'a byte more than a mebibyte is refused by default'
);
select lives_ok('execute record (1048576)', 'a mebibyte is accepted by default');

select * from finish();
rollback;
