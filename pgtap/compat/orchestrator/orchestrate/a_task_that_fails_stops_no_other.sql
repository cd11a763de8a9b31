begin;
set local client_min_messages = error;
select plan(13);

select tasker_test.freeze();
create temporary table made (no integer, task uuid);
insert into made select n, tasker_test.create_task(p_deferred => true) from generate_series(1, 3) as n;
select tasker_test.poison(m.task) from made as m where m.no = 2;
select is(
  tasker_test.orchestrate(), '0 requests, 0 timers, 2 tasks, 0 lost, 0 results', 'the other deferred tasks start'
);
select is(tasker_test.orchestrate(), '0 requests, 0 timers, 0 tasks, 0 lost, 0 results', 'the task that fails is put off');
select is(
  (select w.discovered_until - tasker.clock() from tasker.waiting_tasks as w), interval '1 minute', 'for a minute'
);
select is((select count(*) from tasker_test.claim()), 2::bigint, 'workers claim the others');

-- Their leases end.
select tasker_test.cure();
select tasker_test.poison(m.task) from made as m where m.no = 1;
select tasker_test.pass('2 hours');
select is(tasker_test.orchestrate(), '0 requests, 0 timers, 1 tasks, 1 lost, 0 results', 'the step of the other task returns to the queue, and the task that failed starts');
select is(
  (select q.visible_at - tasker.clock() from tasker.step_queue as q where q.lane = 'running'), interval '1 minute', 'the lease of the one that fails is judged again in a minute'
);
select is((select count(*) from tasker_test.claim()), 2::bigint, 'a claim hands out the others');
select tasker_test.pass('1 minute');
select lives_ok('select from tasker_test.claim()', 'a claim that finds it due does not fail');
select tasker_test.cure();
select tasker_test.pass('1 minute');
select isnt_empty(
  'select c.task_uuid from tasker_test.claim() as c join made as m on m.task = c.task_uuid and m.no = 1', 'without the cause it is claimed again'
);
select is_empty('select v from made as m cross join tasker_test.violations(m.task) as v', 'every invariant holds');

-- Two workers have lost the step of the third: another process claims it beside the first, which is lost as often.
select tasker_test.pass('1 second');
select from tasker.claim_steps('{test}', gen_random_uuid());

-- Their results are recorded by direct transitions.
select tasker_test.record('top', '{}', m.task) from made as m;
select tasker_test.poison(m.task) from made as m where m.no = 3;
select is(tasker_test.orchestrate(), '0 requests, 3 timers, 0 tasks, 0 lost, 2 results', 'the other results are processed');
select tasker_test.cure();
select tasker_test.pass('1 minute');
select is(tasker_test.orchestrate(), '0 requests, 0 timers, 0 tasks, 0 lost, 1 results', 'the one that failed is processed a minute later');
select is_empty('select v from made as m cross join tasker_test.violations(m.task) as v', 'every invariant holds');

select * from finish();
rollback;
