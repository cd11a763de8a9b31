begin;
select plan(3);

select pgmq.create('tap_filter');
select pgmq.send_batch('tap_filter', array['{"a": 1}', '{"a": 2}', '{"a": 1, "b": 2}']::jsonb[]);
select results_eq($$ select r.msg_id from pgmq.read('tap_filter', 30, 10, '{"a": 1}') as r $$, $$ values (1::bigint), (3) $$, 'read returns the messages that contain the condition');
select results_eq($$ select r.msg_id from pgmq.read('tap_filter', 30, 10, '{}') as r $$, $$ values (2::bigint) $$, 'an empty condition selects all messages');
select pgmq.set_vt('tap_filter', array[1, 2, 3]::bigint[], 0);
select results_eq($$ select r.msg_id from pgmq.read('tap_filter', 30, 10, conditional => null) as r order by 1 $$, $$ values (1::bigint), (2), (3) $$, 'a null condition selects all messages');

select * from finish();
rollback;
