begin;
select plan(10);

select tasker_test.freeze();
select count(*) from unnest('{shop,bank}'::text[]) as u (name) cross join lateral tasker.register_namespace(u.name, p_transport => 'pgmq');
select count(*) from unnest('{payroll,orchestration_task_requests}'::text[]) as u (name) cross join lateral tasker.ensure_task_queue(u.name);
select count(*) from unnest('{payroll,orchestration_task_requests,worker_bank_queue}'::text[]) as u (name) cross join lateral tasker.pgmq_send_with_notify(u.name, '{}');
create role tap_free in role tasker_worker;
create role tap_bound in role tasker_worker;
select tasker.bind_role('tap_bound', '{shop}');

set local role tap_free;
select throws_ok($$ select tasker.pgmq_delete_messages('payroll', '{1}') $$, 'TK403', 'role "tap_free" may not use queue "payroll"', 'a worker cannot delete from an application''s queue');
select throws_ok($$ select tasker.pgmq_read_specific_message('payroll', 1, 0) $$, 'TK403', 'role "tap_free" may not use queue "payroll"', 'a worker cannot read from an application''s queue');
select throws_ok($$ select tasker.pgmq_send_with_notify('payroll', '{}') $$, 'TK403', 'role "tap_free" may not use queue "payroll"', 'a worker cannot send to an application''s queue');
select throws_ok(
  $$ select tasker.pgmq_delete_messages('orchestration_task_requests', '{1}') $$, 'TK403', 'role "tap_free" may not use queue "orchestration_task_requests"', 'a worker cannot delete task requests'
);
select lives_ok($$ select tasker.pgmq_send_with_notify('orchestration_task_requests', '{}') $$, 'a worker can send a task request');
select is_empty($$ select s.queue_name from tasker.get_queue_statistics() as s where (s.queue_name ~ '^worker_') is not true $$, 'only queues of workers are measured');
set local role tap_bound;
select throws_ok($$ select tasker.pgmq_delete_messages('worker_bank_queue', '{1}') $$, 'TK403', 'role "tap_bound" may not use queue "worker_bank_queue"', 'a bound worker cannot delete from the queue of another namespace');
select throws_ok($$ select tasker.pgmq_send_with_notify('orchestration_task_requests', '{}') $$, 'TK403', 'role "tap_bound" may not use queue "orchestration_task_requests"', 'a bound worker cannot send a request, which may name any namespace');
set local role tap_free;
select results_eq($$ select tasker.pgmq_delete_messages('worker_bank_queue', '{1}') $$, '{1}'::bigint[], 'a free worker can delete from any queue of steps');
reset role;
grant usage on schema pgmq to tap_free;
grant insert, delete, select on pgmq.q_payroll to tap_free;
set local role tap_free;
select results_eq($$ select tasker.pgmq_delete_messages('payroll', '{1}') $$, '{1}'::bigint[], 'a role can delete from an application''s queue if it may delete from its table');
reset role;

select * from finish();
rollback;
