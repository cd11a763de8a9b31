begin;
select plan(6);

prepare complete as
  select tasker.transition_task_state_atomic(tasker_test.the_task(), 'evaluating_results', 'complete');

select tasker_test.make_task_in('evaluating_results');
select throws_ok(
  'execute complete',
  'TK409',
  format(
    'task %s cannot go from evaluating_results to complete: it has steps that are not done',
    tasker_test.the_task()
  ),
  'a task with an enqueued step cannot complete'
);

select tasker_test.move_step(tasker_test.the_step('top'), 'error');
select throws_ok(
  'execute complete',
  'TK409',
  format(
    'task %s cannot go from evaluating_results to complete: it has steps that are not done',
    tasker_test.the_task()
  ),
  'a task with a failed step cannot complete'
);

select tasker_test.move_step(tasker_test.the_step(s.name), 'resolved_manually')
  from (values ('top'), ('left'), ('right')) as s (name);
select throws_ok(
  'execute complete',
  'TK409',
  format(
    'task %s cannot go from evaluating_results to complete: it has steps that are not done',
    tasker_test.the_task()
  ),
  'a task with a pending step cannot complete'
);

select tasker_test.make_task_in('initializing');
select throws_ok(
  $$ select tasker.transition_task_state_atomic(tasker_test.the_task(), 'initializing', 'complete') $$,
  'TK409',
  format('task %s cannot go from initializing to complete: it has steps that are not done', tasker_test.the_task()),
  'a task with steps cannot end as one without steps'
);

select tasker_test.make_task_in('evaluating_results');
select tasker_test.move_step(tasker_test.the_step(s.name), 'cancelled')
  from (values ('top'), ('left'), ('right'), ('bottom')) as s (name);
select results_eq('execute complete', 'values (true)', 'a task whose steps are all done completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
