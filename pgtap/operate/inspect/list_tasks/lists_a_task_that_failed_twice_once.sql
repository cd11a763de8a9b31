begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.create_waiting('twice', '[{"name": "work"}]') as task \gset
create function pg_temp.fail() returns text language sql as $$
  select c.name from tasker.claim_step(tasker_test.the_step('work'), tasker_test.worker(1)) as c;
  select tasker_test.fail_for_good('work');
  select tasker.give_up_task(tasker_test.the_task())::text;
$$;
select pg_temp.fail();
select tasker.reset_task(:'task');
select is((select count(*) from tasker.list_tasks(p_state => 'error')), 0::bigint, 'a task that is reset is no longer listed with the failed ones');
select pg_temp.fail();
select is(
  (select count(*) from tasker.task_transition_log as l where l.task_uuid = :'task' and l.to_state = 'error'), 2::bigint, 'the task fails again'
);
select results_eq(
  $$ select t.task_uuid from tasker.list_tasks(p_state => 'error') as t $$, format('select %L::uuid', :'task'), 'a task that failed twice is listed once'
);

select * from finish();
rollback;
