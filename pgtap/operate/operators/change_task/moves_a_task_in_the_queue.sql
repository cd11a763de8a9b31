begin;
select plan(15);

select tasker_test.freeze();
select tasker_test.create_waiting('first', '[{"name": "a"}, {"name": "b", "priority": -5}, {"name": "c", "dependencies": ["a"]}]');
select ok(tasker.change_task(tasker_test.the_task(), p_priority => 10, p_reason => 'they wait', p_actor => 'ann'), 'change_task returns true');
select ok(not tasker.change_task(tasker_test.the_task(), p_priority => 10), 'and false if it is so already');
select results_eq(
  $$ select s.name, s.priority, q.lane::text from tasker.workflow_steps as s left join tasker.step_queue as q using (task_uuid, step_no) order by s.step_no $$,
  $$ values ('a', 10, 'high'), ('b', 5, 'high'), ('c', 10, null) $$, 'its steps have the priority of the task and their own, and the lanes of that'
);
select is((select t.priority from tasker.get_task(tasker_test.the_task()) as t), 10, 'so has the task');
select tasker.pause_task(tasker_test.the_task());
select ok(tasker.change_task(tasker_test.the_task(), p_priority => -10), 'a paused task is changed, too');
select tasker.resume_task(tasker_test.the_task());
select is((select string_agg(q.lane::text, ' ') from tasker.step_queue as q), 'low low', 'and goes on in the new lane');
select results_eq(
  $$ select l.call, l.actor, l.reason, l.was, l.becomes from tasker.list_administration('tasks', tasker_test.the_task()::text) as l where l.call = 'change_task' order by l.entry_no limit 1 $$,
  $$ values ('change_task', 'ann', 'they wait', '{"priority": 0}'::jsonb, '{"priority": 10}'::jsonb) $$, 'the log of administration has before and after'
);
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');
select tasker.cancel_task(tasker_test.the_task());

-- In the line of a limit, in the line of a key, before an orchestrator.
select tasker_test.limited(p_key => '$.key');
select tasker.set_limit('test', 'stripe', 1);
select tasker_test.make_limited(2, 'k');
select ok(tasker.change_task((select max(q.task_uuid::text)::uuid from tasker.step_queue as q where q.lane = 'limited'), p_priority => 3), 'a task in the line of a limit');
select is((select string_agg(q.limit_lane::text, ' ' order by q.task_uuid) from tasker.step_queue as q where q.lane = 'limited'), 'normal high', 'waits in the lane of its priority');
select is((select count(*) from tasker_test.claim()), 1::bigint, 'one of them starts');
select tasker.cancel_task(q.task_uuid) from tasker.step_queue as q;
select tasker_test.register_runs('{"key": "$.key", "order": "priority"}');
select tasker_test.job(1), tasker_test.job(2), tasker_test.job(3);
select ok(tasker.change_task(tasker_test.job_of(3), p_priority => 9), 'a task in the line of its key');
select tasker_test.finish_jobs();
select is(tasker_test.jobs(), '1 complete, 2 pending, 3 steps_in_process', 'overtakes there');
select c.task_uuid as deferred from tasker.create_task('test', 'first', '{}', p_deferred => true) as c \gset
select ok(tasker.change_task(:'deferred', p_priority => 7), 'a task that waits for an orchestrator');
select ok((select w.priority = 7 and w.dispatch_rank > (select extract(epoch from tasker.clock()) / -36000) from tasker.waiting_tasks as w where w.task_uuid = :'deferred'), 'is ranked anew');

select * from finish();
rollback;
