begin;
select plan(5);

select tasker_test.take_turn();
select tasker.ensure_task_queue('payroll');
select throws_ok($$ select tasker.pgmq_hide_message('tap_none', 1, 1) $$, 'TK404', 'queue "tap_none" does not exist', 'a queue that does not exist');
select throws_ok($$ select tasker.pgmq_hide_message('q" --', 1, 1) $$, 'TK422', '"q" --" is not a valid queue name', 'an injection');
select throws_ok($$ select tasker.pgmq_hide_message('payroll', 1, 1, -1) $$, 'TK422', 'a message of queue "payroll" cannot be hidden for -1 seconds', 'a time before now');
select throws_ok($$ select tasker.pgmq_hide_message('payroll', 1, 1, 2147483647) $$, 'TK422', 'a message of queue "payroll" cannot be hidden for 2147483647 seconds', 'more than ten years');
set local role tasker_worker;
select throws_ok($$ select tasker.pgmq_hide_message('payroll', 1, 1) $$, 'TK403', 'role "tasker_worker" may not use queue "payroll"', 'a queue of an application');
reset role;

select * from finish();
rollback;
