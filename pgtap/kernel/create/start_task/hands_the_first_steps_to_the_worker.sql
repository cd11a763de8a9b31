begin;
select plan(9);

select tasker_test.freeze('2050-01-20 12:00Z');
select tasker.ensure_partitions();
select tasker_test.allow_starts();
select tasker_test.register('forked', 'left', 'right', 'join left right');

create temporary table started as
  select s.* from tasker.start_task('test', 'forked', '00000000-0000-0000-0000-0000000000c1', '{"order": 1}', p_headers => '{"trace": "x"}') as s;
select set_config('tasker_test.task', (select s.task_uuid::text from started as s limit 1), true);

select results_eq(
  $$
  select s.created, s.name, s.handler, s.attempt, s.max_attempts, s.lost_count, s.lease_until, s.context, s.headers, s.parent_results
    from started as s
   order by s.step_no
  $$,
  $$
  values (true, 'left', 'left', 1, 3, 0, timestamptz '2050-01-20 12:01Z', '{"order": 1}'::jsonb, '{"trace": "x"}'::jsonb, '{}'::jsonb),
         (true, 'right', 'right', 1, 3, 0, '2050-01-20 12:01Z', '{"order": 1}', '{"trace": "x"}', '{}')
  $$,
  'each step comes with everything that its handler needs'
);
select results_eq(
  $$ select t.state::text, t.open_steps, t.active_steps from tasker.tasks as t where t.task_uuid = tasker_test.the_task() $$,
  $$ values ('steps_in_process', 3, 2) $$,
  'the task is in process'
);
select results_eq(
  $$
  select q.step_no, q.lane::text, q.visible_at
    from tasker.step_queue as q
   where q.task_uuid = tasker_test.the_task()
   order by q.step_no
  $$,
  $$ values (1, 'running', timestamptz '2050-01-20 12:01Z'), (2, 'running', '2050-01-20 12:01Z') $$,
  'its steps are in the queue as running ones'
);
select results_eq(
  $$
  select l.step_no, l.event, l.worker_uuid
    from tasker.workflow_step_transition_log as l
   where l.task_uuid = tasker_test.the_task()
   order by 1, l.sort_key
  $$,
  $$ values (1, 'Enqueue', null::uuid), (1, 'Start', '00000000-0000-0000-0000-0000000000c1'), (2, 'Enqueue', null), (2, 'Start', '00000000-0000-0000-0000-0000000000c1') $$,
  'each transition is logged'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty($$ select from tasker.claim_steps('{test}', gen_random_uuid(), 10) $$, 'no other worker gets the steps');
select results_eq(
  $$ select r.answer::text from started as s cross join lateral tasker.complete_steps(array[s.step_uuid], array[s.claim_no], array['{}'::jsonb]) as r $$,
  array['completed', 'completed'], 'the results of the steps are accepted'
);
select results_eq(
  $$ select c.name from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10) as c $$, array['join'], 'the task continues with its next step'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
