begin;
select plan(2);

select pgmq.create('tap_groups');
select pgmq.send('tap_groups', '1'::jsonb);
select results_eq($$ select r.msg_id from pgmq.read_grouped_rr_with_poll('tap_groups', 30, 1) as r $$, $$ values (1::bigint) $$, 'a visible message is returned');
select is_empty($$ select from pgmq.read_grouped_rr_with_poll('tap_groups', 30, 1, max_poll_seconds => 1, poll_interval_ms => 200) $$, 'the call returns nothing after polling for a second');

select * from finish();
rollback;
