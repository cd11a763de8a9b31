begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.register_as('diamond', '{}', 'top', 'left top', 'right top', 'bottom left right');
create temporary table made (what text, task uuid);
insert into made select 'starts', tasker_test.create_task(p_start_at => tasker.clock() + interval '1 hour');
insert into made select 'deferred', tasker_test.create_task(p_deferred => true);
insert into made select 'touched', tasker_test.make_task();
insert into made select 'lost', tasker_test.create_task();
select tasker_test.claim('top');
insert into made select 'retries', tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.fail_for_good('top', false);
insert into made select 'deadline', tasker_test.create_task(p_deadline => tasker.clock() + interval '1 hour');
insert into made select 'recorded', tasker_test.create_task();
select tasker_test.claim('top');
select ok(tasker_test.record('top'), 'a result is recorded');
select tasker.ensure_task_queue('orchestration_task_requests');
select pgmq.send('orchestration_task_requests', '{"namespace": "test", "name": "diamond"}');

select tasker_test.pass('2 hours');
select is(tasker_test.orchestrate(), '1 requests, 5 timers, 1 tasks, 1 lost, 1 results', 'one call does all that is due');
select results_eq(
  $$ select m.what, t.state::text from made as m cross join lateral tasker.get_task(m.task) as t order by m.what $$,
  $$
  values
    ('deadline', 'error'),
    ('deferred', 'steps_in_process'),
    ('lost',     'steps_in_process'),
    ('recorded', 'steps_in_process'),
    ('retries',  'steps_in_process'),
    ('starts',   'steps_in_process'),
    ('touched',  'steps_in_process')
  $$,
  'every task has moved on'
);
select is(
  (select count(*) from made as m join tasker.step_queue as q on q.task_uuid = m.task and q.lane = 'normal'), 7::bigint,
  'the steps are ready'
);
select is(tasker_test.orchestrate(), '0 requests, 0 timers, 0 tasks, 0 lost, 0 results', 'a repeated call finds nothing');
select is_empty('select v from made as m cross join tasker_test.violations(m.task) as v', 'every invariant holds');

select * from finish();
rollback;
