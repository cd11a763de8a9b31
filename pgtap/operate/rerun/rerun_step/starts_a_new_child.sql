begin;
select plan(16);

select tasker_test.freeze();
select tasker_test.take_turn();
select tasker.register_task_template('{
  "namespace": "test", "name": "child", "identity_strategy": "always_unique",
  "steps": [{"name": "a"}, {"name": "b", "dependencies": ["a"]}]
}');
select tasker_test.create_waiting('parent', '[
  {"name": "price"},
  {"name": "kid", "dependencies": ["price"], "task": {"name": "child", "context": {"price": {"step": "price", "path": "$.n"}}}},
  {"name": "after", "dependencies": ["kid"]}
]');
select set_config('tasker_test.parent', tasker_test.the_task()::text, true);
select tasker_test.claim('price');
select tasker_test.finish('price', '{"n": 1}');
select tasker.fire_due_timers();
create temporary table first as select tasker_test.child() as task_uuid;

-- An open child.
select tasker_test.parent();
select ok(tasker.rerun_step(tasker_test.the_step('price'), 'wrong', 'ann', '{"n": 2}'), 'the result that the child was given is corrected');
select tasker.fire_due_timers();
select tasker.fire_due_timers();
select is(
  (select t.state::text from tasker.tasks as t join first as f using (task_uuid)), 'cancelled', 'the child that was open is cancelled'
);
select is(
  (select l.reason from tasker.task_transition_log as l join first as f using (task_uuid) where l.event = 'Cancel'),
  'the step that started it runs again', 'its log says why'
);
select is(tasker_test.family_states(), 'waiting_for_dependencies suspended: steps_in_process enqueued pending', 'the step starts a new one');
select is(
  (select t.context from tasker.tasks as t where t.task_uuid = tasker_test.child()), '{"price": 2}', 'with the new result'
);
select is_empty('select * from tasker_test.family_violations()', 'every invariant holds');

-- A child that is complete.
select tasker_test.run('a', 'b');
select tasker.fire_due_timers();
select tasker_test.parent();
select tasker_test.run('after');
create temporary table second as select tasker_test.child() as task_uuid;
select tasker_test.parent();
select is(tasker_test.states(), 'complete: price=complete kid=complete after=complete', 'the parent is complete');
select tasker_test.child();
select throws_ok(
  $$ select tasker.rerun_step(tasker_test.the_step('a'), 'wrong') $$, 'TK409',
  format('step %s has taken the result of task %s', tasker_test.step(current_setting('tasker_test.parent')::uuid, 'kid'), tasker_test.the_task()),
  'a step of a child whose result was taken does not run again'
);
select tasker_test.parent();
select ok(tasker.rerun_step(tasker_test.the_step('kid'), 'the child was wrong'), 'the step of the parent does');
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'waiting_for_dependencies suspended: steps_in_process enqueued pending', 'it starts a new child');
select is(
  (select t.state::text from tasker.tasks as t join second as s using (task_uuid)), 'complete', 'the former one stays as it is'
);

-- A step of a child that is open runs again.
select tasker_test.child();
select tasker_test.run('a');
select ok(tasker.rerun_step(tasker_test.the_step('a'), 'wrong'), 'a step of an open child runs again');
select tasker_test.run('a', 'b');
-- The child is complete, and its parent has not heard of it.
select ok(tasker.rerun_step(tasker_test.the_step('b'), 'wrong'), 'so does one of a child whose result was not taken yet');
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'waiting_for_dependencies suspended: steps_in_process complete enqueued', 'the parent waits on');
select tasker_test.child();
select tasker_test.run('b');
select tasker.fire_due_timers();
select tasker_test.parent();
select tasker_test.run('after');
select is(tasker_test.family_states(), 'complete complete: complete complete complete', 'both complete');
select is_empty('select * from tasker_test.family_violations()', 'every invariant holds');

select * from finish();
rollback;
