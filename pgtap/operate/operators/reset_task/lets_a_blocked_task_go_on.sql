begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select tasker_test.fail_for_good('left');
select tasker_test.fail_for_good('right');

select ok(tasker.reset_task(tasker_test.the_task(), 'the bank is back', 'ann'), 'reset_task returns true');
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=enqueued right=enqueued bottom=pending', 'all failed steps are enqueued'
);
select is(tasker_test.last_entry('left'), 'Reset by ann for the bank is back', 'the log of a step has the actor and the reason');
select is(
  (
    select string_agg(l.event, ' ' order by l.sort_key)
      from (
        select l.*
          from tasker.task_transition_log as l
         where l.task_uuid = tasker_test.the_task()
         order by l.sort_key desc
         limit 3
      ) as l
  ),
  'Unblocked ReadyStepsFound StepsEnqueued', 'the log shows that the task was unblocked'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
