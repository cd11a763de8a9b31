begin;
select plan(8);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_send');
select throws_ok($$ select tasker.pgmq_send_batch_with_notify('tap_none', array['1']::jsonb[]) $$, 'TK404', 'queue "tap_none" does not exist', 'an unknown queue is refused');
select throws_ok($$ select tasker.pgmq_send_batch_with_notify('tap_send', null) $$, 'TK422', 'cannot send to queue "tap_send": there is no message', 'a null array is refused');
select throws_ok($$ select tasker.pgmq_send_batch_with_notify('tap_send', '{}') $$, 'TK422', 'cannot send to queue "tap_send": there is no message', 'an empty array is refused');
select throws_ok($$ select tasker.pgmq_send_batch_with_notify('tap_send', array['1', null]::jsonb[]) $$, 'TK422', 'cannot send to queue "tap_send": a message is null', 'a null message is refused');
select throws_ok($$ select tasker.pgmq_send_batch_with_notify('tap_send', array[array['1'], array['2']]::jsonb[]) $$, 'TK422', 'cannot send to queue "tap_send": the messages are an array of arrays', 'an array of arrays is refused');
select throws_ok($$ select tasker.pgmq_send_batch_with_notify('tap_send', array['1']::jsonb[], -1) $$, 'TK422', 'cannot send to queue "tap_send": the delay is negative', 'a negative delay is refused');
select throws_ok($$ select tasker.pgmq_send_batch_with_notify('tap_send', array['1']::jsonb[], 0, array['{}', '{}']::jsonb[]) $$, 'TK422', 'cannot send to queue "tap_send": the numbers of messages and headers differ', 'headers that differ in number from the messages are refused');
select is_empty($$ select from tasker.peek_queue('tap_send') $$, 'no message is sent');

select * from finish();
rollback;
