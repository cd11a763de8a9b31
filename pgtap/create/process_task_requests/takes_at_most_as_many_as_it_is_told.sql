begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register_as('diamond', '{}', 'top');
select tasker.ensure_task_queue('orchestration_task_requests');
select pgmq.send('orchestration_task_requests', jsonb_build_object('namespace', 'test', 'name', 'diamond', 'context', jsonb_build_object('no', u.no)))
  from generate_series(1, 5) as u (no);

select is(tasker.process_task_requests(2), 2, 'two');
select is(tasker.process_task_requests(2), 2, 'two more');
select is(tasker.process_task_requests(2), 1, 'and the last');

select * from finish();
rollback;
