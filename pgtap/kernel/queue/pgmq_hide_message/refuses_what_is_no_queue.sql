begin;
select plan(5);

select tasker_test.take_turn();
select tasker.ensure_task_queue('payroll');
select throws_ok($$ select tasker.pgmq_hide_message('tap_none', 1, 1) $$, 'TK404', 'queue "tap_none" does not exist', 'an unknown queue is refused');
select throws_ok($$ select tasker.pgmq_hide_message('q" --', 1, 1) $$, 'TK422', '"q" --" is not a valid queue name', 'a hostile name is refused');
select throws_ok($$ select tasker.pgmq_hide_message('payroll', 1, 1, -1) $$, 'TK422', 'a message of queue "payroll" cannot be hidden for -1 seconds', 'a negative time is refused');
select throws_ok($$ select tasker.pgmq_hide_message('payroll', 1, 1, 2147483647) $$, 'TK422', 'a message of queue "payroll" cannot be hidden for 2147483647 seconds', 'a time of more than ten years is refused');
set local role tasker_worker;
select throws_ok($$ select tasker.pgmq_hide_message('payroll', 1, 1) $$, 'TK403', 'role "tasker_worker" may not use queue "payroll"', 'a worker cannot hide a message of an application''s queue');
reset role;

select * from finish();
rollback;
