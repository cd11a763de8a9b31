begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.create_task(
  p_start_at => tasker.clock() + interval '1 hour', p_deadline => tasker.clock() + interval '2 hours'
);
create temporary table made as select tasker_test.the_task() as task;
insert into made select tasker_test.create_task(p_deadline => tasker.clock() + interval '2 hours');
select tasker_test.claim('top');
select tasker_test.fail_for_good('top', false);

select tasker_test.pass('3 hours');
select is(tasker.fire_due_timers(), 4, 'two starts or retries and two deadlines fire at once');
select is(
  (select string_agg(distinct t.state::text, ' ') from made as m cross join lateral tasker.get_task(m.task) as t), 'error',
  'the tasks fail, and no step of them starts'
);
select is_empty('select from made as m join tasker.step_queue as q on q.task_uuid = m.task', 'the queue is empty');
select is_empty('select v from made as m cross join tasker_test.violations(m.task) as v', 'every invariant holds');

select * from finish();
rollback;
