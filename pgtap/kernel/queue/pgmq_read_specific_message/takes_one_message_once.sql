begin;
select plan(8);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_specific');
select tasker.pgmq_send_batch_with_notify('tap_specific', array['1', '2', '3']::jsonb[], 0, array[null, '{"h": 2}', null]::jsonb[]);
select results_eq(
  $$ select r.msg_id, r.read_ct, r.message, r.headers, r.last_read_at is not null, r.vt - clock_timestamp() between interval '50 seconds' and interval '60 seconds' from tasker.pgmq_read_specific_message('tap_specific', 2, 60) as r $$,
  $$ values (2::bigint, 1, '2'::jsonb, '{"h": 2}'::jsonb, true, true) $$, 'the requested message is returned and hidden'
);
select is_empty($$ select from tasker.pgmq_read_specific_message('tap_specific', 2, 60) $$, 'a hidden message is not returned');
select is_empty($$ select from tasker.pgmq_read_specific_message('tap_specific', 99) $$, 'an unknown message is not returned');
select is_empty($$ select from tasker.pgmq_read_specific_message('tap_specific', null) $$, 'null returns no message');
select pgmq.archive('tap_specific', 3);
select is_empty($$ select from tasker.pgmq_read_specific_message('tap_specific', 3) $$, 'an archived message is not returned');
select results_eq($$ select r.msg_id from pgmq.read('tap_specific', 0, 10) as r $$, $$ values (1::bigint) $$, 'the other message is still visible');
select results_eq($$ select r.read_ct, r.vt - clock_timestamp() between interval '25 seconds' and interval '30 seconds' from tasker.pgmq_read_specific_message('tap_specific', 1, null) as r $$, $$ values (2, true) $$, 'a null time hides the message for 30 seconds');
select pgmq.set_vt('tap_specific', 2, 0);
select results_eq($$ select r.read_ct from tasker.pgmq_read_specific_message('tap_specific', 2) as r $$, $$ values (2) $$, 'a message that is visible again is returned');

select * from finish();
rollback;
