begin;
select plan(8);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_send');
select throws_ok($$ select tasker.pgmq_send_batch_with_notify('tap_none', array['1']::jsonb[]) $$, 'TK404', 'queue "tap_none" does not exist', 'to no queue');
select throws_ok($$ select tasker.pgmq_send_batch_with_notify('tap_send', null) $$, 'TK422', 'cannot send to queue "tap_send": there is no message', 'null');
select throws_ok($$ select tasker.pgmq_send_batch_with_notify('tap_send', '{}') $$, 'TK422', 'cannot send to queue "tap_send": there is no message', 'none');
select throws_ok($$ select tasker.pgmq_send_batch_with_notify('tap_send', array['1', null]::jsonb[]) $$, 'TK422', 'cannot send to queue "tap_send": a message is null', 'one that is null');
select throws_ok($$ select tasker.pgmq_send_batch_with_notify('tap_send', array[array['1'], array['2']]::jsonb[]) $$, 'TK422', 'cannot send to queue "tap_send": the messages are an array of arrays', 'an array of arrays');
select throws_ok($$ select tasker.pgmq_send_batch_with_notify('tap_send', array['1']::jsonb[], -1) $$, 'TK422', 'cannot send to queue "tap_send": the delay is negative', 'before now');
select throws_ok($$ select tasker.pgmq_send_batch_with_notify('tap_send', array['1']::jsonb[], 0, array['{}', '{}']::jsonb[]) $$, 'TK422', 'cannot send to queue "tap_send": the numbers of messages and headers differ', 'headers that do not match');
select is_empty($$ select from tasker.peek_queue('tap_send') $$, 'nothing was sent');

select * from finish();
rollback;
