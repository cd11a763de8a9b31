begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.create_task();
select is_empty(
  $$ select * from tasker.get_current_step_transition(tasker_test.the_step('bottom')) $$, 'a step that has only been created has none'
);
select tasker_test.claim('top');
select results_eq(
  $$ select c.event, c.from_state, c.to_state, c.login from tasker.get_current_step_transition(tasker_test.the_step('top')) as c $$,
  $$ values ('Start', 'enqueued', 'in_progress', session_user::text collate "default") $$, 'a step in progress was started'
);
select tasker_test.fail_for_good('top');
select results_eq(
  $$ select * from tasker.get_current_step_transition(tasker_test.the_step('top')) $$,
  $$ select * from tasker.get_step_history(tasker_test.the_step('top')) offset 3 $$, 'it is the last row of the history'
);
select throws_ok(
  $$ select tasker.get_current_step_transition('01900000-0000-7000-8000-000000000001') $$, 'TK404', null, 'no such step'
);
select throws_ok($$ select tasker.get_current_step_transition(null) $$, 'TK404', null, 'none at all');
select cmp_ok(
  tasker_test.buffers(format('select tasker.get_current_step_transition(%L)', tasker_test.the_step('top'))), '<', 600::bigint, 'it reads little'
);

select * from finish();
rollback;
