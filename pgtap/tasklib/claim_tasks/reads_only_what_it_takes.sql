begin;
select plan(2);

select tasker_test.register_echo();
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[10]));
select tasker_test.claim_echo(5);
-- Warm up: the first call also reads the catalogues for its plan.
select tasker_test.buffers($$ select * from tasker_test.claim_echo(1) $$);
create temporary table cost (buffers) as select tasker_test.buffers($$ select * from tasker_test.claim_echo(1) $$);

-- Completed, waiting and running tasks of all priorities.
insert into tasklib.tasks (id, created_at, scheduled_at, completed_at, started_at, state, ready, priority, max_retries, name, submitted_by, kwargs, locked_until, worker_id)
select gen_random_uuid(), now(), now() + interval '1 day', case when k.state = 'completed' then now() end, now(), k.state::tasklib.task_state, false, n % 7, 3, 'echo', 'x', '{}',
       case when k.state = 'running' then now() + interval '1 day' end, case when k.state = 'running' then 'v' end
  from generate_series(1, 5000) as n
 cross join unnest(array['completed', 'pending', 'running']) as k (state);
select ok(
  tasker_test.buffers($$ select * from tasker_test.claim_echo(1) $$) <= (select c.buffers + 15 from cost as c),
  'a claim costs the same beside 15,000 tasks that are not ready'
);
analyze tasklib.tasks;
select tasker_test.buffers($$ select * from tasker_test.claim_echo(1) $$);
select ok(
  tasker_test.buffers($$ select * from tasker_test.claim_echo(1) $$) <= (select c.buffers + 15 from cost as c),
  'a claim costs the same after analyze'
);

select * from finish();
rollback;
