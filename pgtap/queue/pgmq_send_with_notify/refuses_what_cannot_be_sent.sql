begin;
select plan(6);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_send');
select throws_ok($$ select tasker.pgmq_send_with_notify('tap_none', '1') $$, 'TK404', 'queue "tap_none" does not exist', 'to no queue');
select throws_ok($$ select tasker.pgmq_send_with_notify(null, '1') $$, 'TK422', 'queue name is null', 'to null');
select throws_ok($$ select tasker.pgmq_send_with_notify('a;b', '1') $$, 'TK422', '"a;b" is not a valid queue name', 'to a hostile name');
select throws_ok($$ select tasker.pgmq_send_with_notify('tap_send', null) $$, 'TK422', 'cannot send to queue "tap_send": a message is null', 'null');
select throws_ok($$ select tasker.pgmq_send_with_notify('tap_send', '1', -1) $$, 'TK422', 'cannot send to queue "tap_send": the delay is negative', 'before now');
select is_empty($$ select from tasker.peek_queue('tap_send') $$, 'nothing was sent');

select * from finish();
rollback;
