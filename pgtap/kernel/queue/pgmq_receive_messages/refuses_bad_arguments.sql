begin;
select plan(12);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_receive');
select tasker.ensure_task_queue('payroll');
select tasker.register_namespace('shop', p_transport => 'pgmq');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_none') $$, 'TK404', 'queue "tap_none" does not exist', 'an unknown queue is refused');
select throws_ok($$ select tasker.pgmq_receive_messages('q" --') $$, 'TK422', '"q" --" is not a valid queue name', 'a hostile name is refused');
select throws_ok($$ select tasker.pgmq_receive_messages(null) $$, 'TK422', 'queue name is null', 'a null queue is refused');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_receive', 0) $$, 'TK422', 'nothing can be received from queue "tap_receive": 0 messages cannot be asked for', 'a limit of 0 messages is refused');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_receive', 1001) $$, 'TK422', 'nothing can be received from queue "tap_receive": 1001 messages cannot be asked for', 'a limit of more than 1,000 messages is refused');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_receive', 1, -1) $$, 'TK422', 'nothing can be received from queue "tap_receive": a message cannot be hidden for -1 seconds', 'a negative time is refused');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_receive', 1, 1, 0, 'payroll') $$, 'TK422', 'nothing can be received from queue "tap_receive": a message cannot be delivered 0 times at most', 'a maximum of 0 deliveries is refused');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_receive', 1, 1, 5) $$, 'TK422', 'nothing can be received from queue "tap_receive": a limit of reads and a dead-letter queue come together', 'a maximum without a dead-letter queue is refused');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_receive', 1, 1, 5, 'TAP_receive') $$, 'TK422', 'nothing can be received from queue "tap_receive": a queue cannot be its own dead-letter queue', 'a queue cannot be its own dead-letter queue');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_receive', 1, 1, 5, 'tap_none') $$, 'TK404', 'queue "tap_none" does not exist', 'an unknown dead-letter queue is refused');
set local role tasker_worker;
select throws_ok($$ select tasker.pgmq_receive_messages('payroll') $$, 'TK403', 'role "tasker_worker" may not use queue "payroll"', 'a worker cannot receive from an application''s queue');
select throws_ok($$ select tasker.pgmq_receive_messages('worker_shop_queue', 1, 1, 5, 'payroll') $$, 'TK403', 'role "tasker_worker" may not use queue "payroll"', 'a worker cannot move messages to an application''s queue');
reset role;

select * from finish();
rollback;
