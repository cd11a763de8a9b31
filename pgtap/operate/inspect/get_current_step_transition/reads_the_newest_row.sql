begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.create_task();
select is_empty(
  $$ select * from tasker.get_current_step_transition(tasker_test.the_step('bottom')) $$, 'it returns no row for a step that was only created'
);
select tasker_test.claim('top');
select results_eq(
  $$ select c.event, c.from_state, c.to_state, c.login from tasker.get_current_step_transition(tasker_test.the_step('top')) as c $$,
  $$ values ('Start', 'enqueued', 'in_progress', session_user::text collate "default") $$, 'it returns the start of a step in progress'
);
select tasker_test.fail_for_good('top');
select results_eq(
  $$ select * from tasker.get_current_step_transition(tasker_test.the_step('top')) $$,
  $$ select * from tasker.get_step_history(tasker_test.the_step('top')) offset 3 $$, 'it returns the last row of the history'
);
select throws_ok(
  $$ select tasker.get_current_step_transition('01900000-0000-7000-8000-000000000001') $$, 'TK404', 'step 01900000-0000-7000-8000-000000000001 does not exist', 'an unknown step is refused'
);
select throws_ok($$ select tasker.get_current_step_transition(null) $$, 'TK404', 'step null does not exist', 'a null step is refused');

-- Compare a log of four rows with one of four hundred.
select tasker_test.create_task();
create function pg_temp.cost()
  returns bigint
  language sql
begin atomic
  select min(tasker_test.buffers(format('select tasker.get_current_step_transition(%L)', tasker_test.the_step('top'))))
    from generate_series(1, 5);
end;
create function pg_temp.hand_back(p_times integer)
  returns void
  language plpgsql
as $$
begin
  for v_turn in 1 .. p_times loop
    perform tasker_test.claim('top');
    perform tasker.release_steps(array[s.workflow_step_uuid], array[s.claim_no])
       from tasker.workflow_steps as s
      where s.workflow_step_uuid = tasker_test.the_step('top')
        and s.task_uuid = tasker_test.the_task();
  end loop;
end;
$$;
select pg_temp.hand_back(2);
select pg_temp.cost() as short \gset
select pg_temp.hand_back(200);
select is(
  (select count(*) from tasker.get_step_history(tasker_test.the_step('top'), 1000)), 405::bigint, 'the log has 405 rows'
);
-- Rows read one by one would cost four buffers each; the step's own old row versions cost some.
select cmp_ok(pg_temp.cost(), '<=', (:short + 60)::bigint, 'a long log costs no more than a short one');

select * from finish();
rollback;
