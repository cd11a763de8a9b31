begin;
select plan(3);

select tasker_test.family('{}', '{"identity_strategy": "caller_provided"}');
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'waiting_for_dependencies suspended: steps_in_process enqueued pending', 'a template with keys needs none');
select is((select t.identity_hash from tasker.tasks as t where t.task_uuid = tasker_test.child()), null, 'the step holds its UUID');
select is_empty($$ select from tasker.task_identities as i where i.task_uuid = tasker_test.child() $$, 'and no identity is taken');

select * from finish();
rollback;
