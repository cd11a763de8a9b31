begin;
select plan(3);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_specific');
select throws_ok($$ select tasker.pgmq_read_specific_message('tap_none', 1) $$, 'TK404', 'queue "tap_none" does not exist', 'an unknown queue is refused');
select throws_ok($$ select tasker.pgmq_read_specific_message('q" set vt = now() --', 1) $$, 'TK422', '"q" set vt = now() --" is not a valid queue name', 'a hostile name is refused');
select throws_ok($$ select tasker.pgmq_read_specific_message('tap_specific', 1, -1) $$, 'TK422', 'a message of queue "tap_specific" cannot be hidden for -1 seconds', 'a negative time is refused');

select * from finish();
rollback;
