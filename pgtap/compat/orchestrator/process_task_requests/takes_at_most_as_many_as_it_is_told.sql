begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register_as('diamond', '{}', 'top');
select tasker.ensure_task_queue('orchestration_task_requests');
select pgmq.send('orchestration_task_requests', jsonb_build_object('namespace', 'test', 'name', 'diamond', 'context', jsonb_build_object('no', u.no)))
  from generate_series(1, 5) as u (no);

select is(tasker.process_task_requests(2), 2, 'a call processes two messages');
select is(tasker.process_task_requests(2), 2, 'the next call processes two more');
select is(tasker.process_task_requests(2), 1, 'the last call processes the rest');

select * from finish();
rollback;
