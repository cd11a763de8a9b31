begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.create_waiting(
  'booking', '[{"name": "flight", "compensate": "cancel_flight"}, {"name": "mail"}, {"name": "pay", "dependencies": ["flight", "mail"]}]'
);
select tasker_test.run('flight');
select tasker_test.claim('mail');
select tasker.cancel_task(tasker_test.the_task());
select is(tasker_test.finish('mail'), 'completed', 'a step that runs when its task is cancelled ends');
select tasker_test.undo();
select is(
  (select string_agg(s.name || ' ' || s.undo_level, ', ' order by s.step_no) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.step_no <= 2),
  'flight 1, mail 0', 'a step with a compensation is undone, and the one that ended meanwhile is not'
);
select tasker_test.claim('undo flight');
select tasker_test.fail_for_good('undo flight');
select from tasker.give_up_task(tasker_test.the_task());
select set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), 'pay')::text, true);
select is(tasker_test.states(), 'steps_in_process: flight=enqueued mail=complete pay=pending', 'a fork runs what was to be undone anew, and takes over the other');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
