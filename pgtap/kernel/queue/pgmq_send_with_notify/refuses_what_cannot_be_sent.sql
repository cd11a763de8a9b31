begin;
select plan(6);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_send');
select throws_ok($$ select tasker.pgmq_send_with_notify('tap_none', '1') $$, 'TK404', 'queue "tap_none" does not exist', 'an unknown queue is refused');
select throws_ok($$ select tasker.pgmq_send_with_notify(null, '1') $$, 'TK422', 'queue name is null', 'a null queue is refused');
select throws_ok($$ select tasker.pgmq_send_with_notify('a;b', '1') $$, 'TK422', '"a;b" is not a valid queue name', 'a hostile name is refused');
select throws_ok($$ select tasker.pgmq_send_with_notify('tap_send', null) $$, 'TK422', 'cannot send to queue "tap_send": a message is null', 'a null message is refused');
select throws_ok($$ select tasker.pgmq_send_with_notify('tap_send', '1', -1) $$, 'TK422', 'cannot send to queue "tap_send": the delay is negative', 'a negative delay is refused');
select is_empty($$ select from tasker.peek_queue('tap_send') $$, 'no message is sent');

select * from finish();
rollback;
