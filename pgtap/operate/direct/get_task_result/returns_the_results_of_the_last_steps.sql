begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.register_as('order', '{"on_failure": "continue"}', 'a', 'b a', 'c a');
select tasker_test.launch('order');
create function pg_temp.result(p_steps text[] default null) returns jsonb language sql as $$
  select tasker.get_task_result(tasker_test.the_task(), p_steps);
$$;
select is(
  pg_temp.result() - '{task_uuid,state}'::text[], '{"complete": false, "blocked": false, "results": {}, "omitted": [], "failed": null}',
  'a task that has begun has no results'
);
select tasker_test.claim('a');
select tasker_test.finish('a', '{"n": 1}');
select is(pg_temp.result() -> 'results', '{}', 'the result of a step in the middle is none of the task''s');
select is(pg_temp.result('{a,b}') -> 'results', '{"a": {"n": 1}}', 'but it is returned if it is named');
select tasker_test.claim('b', 'c');
select tasker_test.finish('b', null);
select tasker_test.fail_for_good('c');
select is(
  (pg_temp.result() -> 'failed') - 'step_uuid',
  '{"step": "c", "state": "error", "attempts": 1, "error": "the bank is closed", "undo": false}', 'the failed step has its error'
);
select is(pg_temp.result() ->> 'blocked', 'true', 'the task is blocked');
select is(pg_temp.result() -> 'results', '{"b": null}', 'a step without a result has null');
select throws_ok(
  $$ select tasker.get_task_result('01980000-0000-7000-8000-000000000001') $$, 'TK404',
  'task 01980000-0000-7000-8000-000000000001 does not exist', 'an unknown task is refused'
);

select * from finish();
rollback;
