begin;
select plan(3);

select tasker_test.allow_starts();
select tasker_test.limited();
select tasker.set_limit('test', 'stripe', 1);
select is((select count(*) from tasker.start_task('test', 'pay', tasker_test.worker()) as s where s.step_uuid is not null), 0::bigint, 'the task is created, and its limited step is not claimed');
select is((select q.lane::text from tasker.step_queue as q where q.namespace = 'test' limit 1), 'limited', 'the step waits for its limit');
select is((select count(*) from tasker_test.claim(1)), 1::bigint, 'the next claim gets the step');

select * from finish();
rollback;
