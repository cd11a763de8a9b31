begin;
select plan(5);

select tasker_test.create_task();
select tasker_test.run('top', 'left');
select results_eq(
  $$ select p.name, p.state::text, p.fate, p.has_compensation from tasker.preview_rerun(tasker_test.the_step('left')) as p $$,
  $$ values ('left', 'complete', 'again', false), ('bottom', 'pending', 'again', false) $$,
  'the step and what depends on it'
);
select is(tasker_test.states(), 'steps_in_process: top=complete left=complete right=enqueued bottom=pending', 'nothing has changed');
select throws_ok($$ select from tasker.preview_rerun('018f0000-0000-7000-8000-000000000001') $$, 'TK404', 'step 018f0000-0000-7000-8000-000000000001 does not exist', 'a step that does not exist');
select is(
  tasker_test.call_as('tasker_reader', 'select string_agg(p.name, '' '') from tasker.preview_rerun(tasker_test.the_step(''bottom'')) as p'), 'bottom', 'a reader may see it'
);
select throws_ok(
  format('select tasker_test.call_as(%L, %L)', 'tasker_worker', 'select count(*) from tasker.preview_rerun(tasker_test.the_step(''top''))'),
  '42501', 'permission denied for function preview_rerun', 'a worker may not'
);

select * from finish();
rollback;
