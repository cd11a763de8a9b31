begin;
select plan(5);

select tasker_test.freeze();
select tasker.set_setting('result_bytes', '100');
select tasker.register_task_template('{"namespace": "test", "name": "wide", "steps": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}]}');
select tasker.register_task_template('{"namespace": "other", "name": "one", "steps": [{"name": "x"}]}');
select tasker_test.launch('one') as other \gset
select tasker_test.launch('wide');
select count(*) from tasker.claim_steps(null, tasker_test.worker(), 100);
select tasker_test.complete('c');
select results_eq(
  format(
    'select a.step_uuid, a.claim_no, a.answer::text from tasker.complete_steps(
      array[tasker_test.the_step(%L), %L, tasker_test.the_step(%L), tasker.step_uuid(%L, 1), tasker_test.the_step(%L), tasker_test.the_step(%L)],
      array[9, 1, 1, 1, 1, 1],
      array[%L, null, %L, %L, null, %L]::jsonb[]
    ) as a', 'd', '01980000-0000-7000-8000-000000000001', 'b', :'other', 'c', 'a', '{}', '{"s": 1}', '[]', jsonb_build_object('s', repeat('x', 200))
  ),
  format(
    'values (tasker_test.the_step(%L), 9, %L), (%L::uuid, 1, %L), (tasker_test.the_step(%L), 1, %L),
            (tasker.step_uuid(%L, 1), 1, %L), (tasker_test.the_step(%L), 1, %L), (tasker_test.the_step(%L), 1, %L)',
    'd', 'stale', '01980000-0000-7000-8000-000000000001', 'not_found', 'b', 'completed', :'other', 'completed', 'c', 'already_complete', 'a', 'too_large'
  ),
  'each step is answered, in the order of the call'
);
select is(tasker_test.the_steps(), 'a in_progress, b complete, c complete, d in_progress', 'accepted results complete their steps, and the other steps are unchanged');
select is(tasker.get_current_task_state(:'other')::text, 'complete', 'a result in another namespace completes its task');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty(format('select tasker_test.violations(%L)', :'other'), 'every invariant of the other task holds');

select * from finish();
rollback;
