begin;
select plan(3);

select tasker_test.family('{}', '{"identity_strategy": "caller_provided"}');
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'waiting_for_dependencies suspended: steps_in_process enqueued pending', 'a child of a template with identity keys needs no key');
select is((select t.identity_hash is null from tasker.tasks as t where t.task_uuid = tasker_test.child()), true, 'the child has no identity hash');
select is_empty($$ select from tasker.task_identities as i where i.task_uuid = tasker_test.child() $$, 'the child takes no identity');

select * from finish();
rollback;
