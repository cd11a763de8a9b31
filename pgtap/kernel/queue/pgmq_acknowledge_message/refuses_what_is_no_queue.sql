begin;
select plan(3);

select tasker_test.take_turn();
select tasker.ensure_task_queue('payroll');
select throws_ok($$ select tasker.pgmq_acknowledge_message('tap_none', 1, 1) $$, 'TK404', 'queue "tap_none" does not exist', 'an unknown queue is refused');
select throws_ok($$ select tasker.pgmq_acknowledge_message('q" --', 1, 1) $$, 'TK422', '"q" --" is not a valid queue name', 'a hostile name is refused');

set local role tasker_worker;
select throws_ok($$ select tasker.pgmq_acknowledge_message('payroll', 1, 1) $$, 'TK403', 'role "tasker_worker" may not use queue "payroll"', 'a worker cannot acknowledge a message of an application''s queue');
reset role;

select * from finish();
rollback;
