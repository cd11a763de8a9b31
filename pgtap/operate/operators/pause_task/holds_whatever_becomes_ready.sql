begin;
select plan(20);

select tasker_test.freeze();
-- A retry that comes due, a lease that ends, a wait that times out.
select tasker_test.create_waiting('held', '[
  {"name": "try", "retry": {"base_seconds": 10}}, {"name": "lose"}, {"name": "ask", "await": [{"signal": "yes"}, {"for": "1m"}]},
  {"name": "then", "dependencies": ["ask"]}]');
select c.step_uuid as try, c.claim_no as claim from tasker_test.claim() as c where c.name = 'try' \gset
select tasker.fail_steps(array[:'try'::uuid], array[:claim], '{once}');
select ok(tasker.pause_task(tasker_test.the_task()), 'a task with a retry, a running step and a wait is paused');
select tasker_test.pass('30 seconds');
select is((select count(*) from tasker_test.claim()), 0::bigint, 'the retry comes due and does not start');
select is((select s.state::text from tasker.workflow_steps as s where s.name = 'try'), 'enqueued', 'it is in the queue');
select tasker_test.pass('40 seconds');
select is((select count(*) from tasker_test.claim()), 0::bigint, 'the wait times out');
select matches((select s.state::text from tasker.workflow_steps as s where s.name = 'ask'), 'complete|error', 'as it would have');
select tasker_test.pass('1 hour');
select is((select count(*) from tasker_test.claim()), 0::bigint, 'the step of a lost worker does not start again');
select is((select s.state::text from tasker.workflow_steps as s where s.name = 'lose'), 'enqueued', 'and is in the queue, too');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');
select is((select array_agg(x.name) from tasker.add_steps(tasker_test.the_task(), '[{"name": "more"}]') as x), '{more}', 'a step is added');
select is((select count(*) from tasker_test.claim()), 0::bigint, 'and does not start');
select is((select t.health_status from tasker.get_task_staleness() as t where t.task_uuid = tasker_test.the_task()), 'healthy', 'a paused task is never stale');
select tasker.resume_task(tasker_test.the_task());
select is((select string_agg(c.name, ' ' order by c.name) from tasker_test.claim() as c), 'lose more then try', 'they start after the pause');

-- A step that starts a task, a map, a limit.
select tasker_test.family();
select tasker.pause_task(tasker_test.parent());
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'waiting_for_dependencies suspended: no child ', 'no task is started');
select tasker.resume_task(tasker_test.parent());
select tasker.fire_due_timers();
select is((select count(*) from tasker.workflow_steps as s where s.task_uuid = tasker_test.parent() and s.child_task_uuid is not null), 1::bigint, 'it is when the pause ends');
select tasker_test.parent();
select tasker_test.create_waiting('mapped', '[{"name": "each", "for_each": "$.all"}]', '{}', '{"all": [1, 2]}');
select tasker.pause_task(tasker_test.the_task());
select tasker.fire_due_timers();
select is((select count(*) from tasker.step_queue as q where q.task_uuid = tasker_test.the_task() and q.lane = 'paused'), 2::bigint, 'the instances of a map are held');
select tasker.resume_task(tasker_test.the_task());
select is((select count(*) from tasker.step_queue as q where q.task_uuid = tasker_test.the_task() and q.lane = 'normal'), 2::bigint, 'until the pause ends');
select tasker_test.limited(p_key => '$.key');
select tasker.set_limit('test', 'stripe', 1);
select tasker_test.make_limited(2, 'k');
select tasker.pause_task((select q.task_uuid from tasker.step_queue as q where q.lane = 'limited' order by q.visible_at, q.task_uuid limit 1));
select is((select count(*) from tasker_test.claim() as c where c.name = 'pay'), 1::bigint, 'a paused step does not hold up the line of its limit');
select is(tasker_test.complete_limited(), 1::bigint, 'which goes on');
select tasker.resume_task((select q.task_uuid from tasker.step_queue as q where q.lane = 'paused'));
select is((select count(*) from tasker_test.claim() as c where c.name = 'pay'), 1::bigint, 'and takes the paused step after the pause');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
