begin;
select plan(6);

select pgmq.create('tap_poll');
select pgmq.send('tap_poll', '{"a": 1}'::jsonb);
select results_eq($$ select r.msg_id from pgmq.read_with_poll('tap_poll', 0, 1, 5, 100) as r $$, $$ values (1::bigint) $$, 'a visible message is returned');
select results_eq($$ select r.msg_id from pgmq.read_with_poll('tap_poll', 0, 1) as r $$, $$ values (1::bigint) $$, 'the times have defaults');
select results_eq($$ select r.msg_id from pgmq.read_with_poll('tap_poll', 0, 1, 1, 50, '{"a": 1}') as r $$, $$ values (1::bigint) $$, 'a condition can be given');
select results_eq($$ select r.msg_id from pgmq.read_with_poll(queue_name => 'tap_poll', vt => 30, qty => 1, max_poll_seconds => 1, poll_interval_ms => 50, conditional => '{}') as r $$, $$ values (1::bigint) $$, 'the arguments have the names of pgmq');
select is_empty($$ select from pgmq.read_with_poll('tap_poll', 30, 1, 1, 200) $$, 'the call returns nothing after polling for a second');
select throws_ok($$ select from pgmq.read_with_poll('tap_none', 30, 1) $$, '42P01', null, 'an unknown queue is refused');

select * from finish();
rollback;
