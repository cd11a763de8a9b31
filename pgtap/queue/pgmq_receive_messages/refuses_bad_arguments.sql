begin;
select plan(12);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_receive');
select tasker.ensure_task_queue('payroll');
select tasker.register_namespace('shop', p_transport => 'pgmq');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_none') $$, 'TK404', 'queue "tap_none" does not exist', 'a queue that does not exist');
select throws_ok($$ select tasker.pgmq_receive_messages('q" --') $$, 'TK422', '"q" --" is not a valid queue name', 'an injection');
select throws_ok($$ select tasker.pgmq_receive_messages(null) $$, 'TK422', 'queue name is null', 'no queue');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_receive', 0) $$, 'TK422', 'nothing can be received from queue "tap_receive": 0 messages cannot be asked for', 'no message');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_receive', 1001) $$, 'TK422', 'nothing can be received from queue "tap_receive": 1001 messages cannot be asked for', 'too many');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_receive', 1, -1) $$, 'TK422', 'nothing can be received from queue "tap_receive": a message cannot be hidden for -1 seconds', 'a time before now');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_receive', 1, 1, 0, 'payroll') $$, 'TK422', 'nothing can be received from queue "tap_receive": a message cannot be delivered 0 times at most', 'no delivery at all');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_receive', 1, 1, 5) $$, 'TK422', 'nothing can be received from queue "tap_receive": a limit of reads and a dead-letter queue come together', 'a limit without a dead-letter queue');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_receive', 1, 1, 5, 'TAP_receive') $$, 'TK422', 'nothing can be received from queue "tap_receive": a queue cannot be its own dead-letter queue', 'its own dead letters');
select throws_ok($$ select tasker.pgmq_receive_messages('tap_receive', 1, 1, 5, 'tap_none') $$, 'TK404', 'queue "tap_none" does not exist', 'a dead-letter queue that does not exist');
set local role tasker_worker;
select throws_ok($$ select tasker.pgmq_receive_messages('payroll') $$, 'TK403', 'role "tasker_worker" may not use queue "payroll"', 'a worker reads no queue of an application');
select throws_ok($$ select tasker.pgmq_receive_messages('worker_shop_queue', 1, 1, 5, 'payroll') $$, 'TK403', 'role "tasker_worker" may not use queue "payroll"', 'nor moves messages there');
reset role;

select * from finish();
rollback;
