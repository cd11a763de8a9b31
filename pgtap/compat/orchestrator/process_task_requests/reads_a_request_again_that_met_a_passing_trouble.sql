begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.register_as('diamond', '{}', 'top');
select tasker.ensure_task_queue('orchestration_task_requests');
select pgmq.send('orchestration_task_requests', '{"namespace": "test", "name": "diamond"}') as msg_id \gset
create function tasker_test.stumble() returns trigger language plpgsql as $$
begin
  raise exception using errcode = '40P01', message = 'deadlock detected';
end;
$$;
create trigger stumble before insert on tasker.waiting_tasks for each row execute function tasker_test.stumble();
select pgmq.send('orchestration_task_requests', '{"namespace": "test", "name": "diamond", "context": {"no": 2}, "deferred": true}') as poison \gset

select is(tasker.process_task_requests(), 1, 'the other message creates its task');
select is(
  (select p.read_ct from tasker.peek_queue('orchestration_task_requests') as p where p.msg_id = :poison), 1,
  'the failed message stays in the queue'
);
select is(tasker.process_task_requests(), 0, 'the failed message is not read again at once');
update pgmq.q_orchestration_task_requests set vt = clock_timestamp(), read_ct = 8;
select is(tasker.process_task_requests(), 0, 'the failed message is read again later');
update pgmq.q_orchestration_task_requests set vt = clock_timestamp();
select is(tasker.process_task_requests(), 0, 'the failed message is read for the tenth time');
select results_eq(
  $$ select r.message ->> 'code', r.message ->> 'error' from tasker.peek_queue('orchestration_task_requests_rejected') as r $$,
  $$ values ('40P01', 'deadlock detected') $$, 'the message is rejected after the tenth time'
);
select is_empty($$ select from tasker.peek_queue('orchestration_task_requests') $$, 'the queue is empty');

select * from finish();
rollback;
