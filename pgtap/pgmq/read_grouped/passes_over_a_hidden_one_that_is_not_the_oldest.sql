begin;
select plan(2);

select pgmq.create('tap_groups');
select pgmq.send_batch('tap_groups', array['1', '2', '3']::jsonb[], array['{"x-pgmq-group": "a"}', '{"x-pgmq-group": "a"}', '{"x-pgmq-group": "a"}']::jsonb[]);
select pgmq.set_vt('tap_groups', 2, 60);
select results_eq($$ select r.msg_id from pgmq.read_grouped('tap_groups', 0, 30) as r $$, $$ values (1::bigint), (3) $$, 'the other messages of the group are read');
select pgmq.set_vt('tap_groups', 1, 60);
select is_empty($$ select from pgmq.read_grouped('tap_groups', 0, 30) $$, 'no message is read while the oldest one is hidden');

select * from finish();
rollback;
