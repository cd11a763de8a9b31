begin;
select plan(3);

select tasker_test.take_turn();
select tasker.ensure_task_queue('payroll');
select throws_ok($$ select tasker.pgmq_acknowledge_message('tap_none', 1, 1) $$, 'TK404', 'queue "tap_none" does not exist', 'a queue that does not exist');
select throws_ok($$ select tasker.pgmq_acknowledge_message('q" --', 1, 1) $$, 'TK422', '"q" --" is not a valid queue name', 'an injection');

set local role tasker_worker;
select throws_ok($$ select tasker.pgmq_acknowledge_message('payroll', 1, 1) $$, 'TK403', 'role "tasker_worker" may not use queue "payroll"', 'a queue of an application');
reset role;

select * from finish();
rollback;
