begin;
select plan(8);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_specific');
select tasker.pgmq_send_batch_with_notify('tap_specific', array['1', '2', '3']::jsonb[], 0, array[null, '{"h": 2}', null]::jsonb[]);
select results_eq(
  $$ select r.msg_id, r.read_ct, r.message, r.headers, r.last_read_at is not null, r.vt - clock_timestamp() between interval '50 seconds' and interval '60 seconds' from tasker.pgmq_read_specific_message('tap_specific', 2, 60) as r $$,
  $$ values (2::bigint, 1, '2'::jsonb, '{"h": 2}'::jsonb, true, true) $$, 'the one that was asked for'
);
select is_empty($$ select from tasker.pgmq_read_specific_message('tap_specific', 2, 60) $$, 'not twice');
select is_empty($$ select from tasker.pgmq_read_specific_message('tap_specific', 99) $$, 'not one that never was');
select is_empty($$ select from tasker.pgmq_read_specific_message('tap_specific', null) $$, 'nor null');
select pgmq.archive('tap_specific', 3);
select is_empty($$ select from tasker.pgmq_read_specific_message('tap_specific', 3) $$, 'nor one that is archived');
select results_eq($$ select r.msg_id from pgmq.read('tap_specific', 0, 10) as r $$, $$ values (1::bigint) $$, 'the others are where they were');
select results_eq($$ select r.read_ct, r.vt - clock_timestamp() between interval '25 seconds' and interval '30 seconds' from tasker.pgmq_read_specific_message('tap_specific', 1, null) as r $$, $$ values (2, true) $$, 'null is 30 seconds');
select pgmq.set_vt('tap_specific', 2, 0);
select results_eq($$ select r.read_ct from tasker.pgmq_read_specific_message('tap_specific', 2) as r $$, $$ values (2) $$, 'one whose time is over');

select * from finish();
rollback;
