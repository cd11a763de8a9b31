begin;
select plan(11);

select pgmq.create('tap_vt');
select pgmq.send_batch('tap_vt', array['1', '2', '3']::jsonb[]);
select results_eq($$ select v.msg_id, v.read_ct, v.last_read_at is null, v.vt > clock_timestamp() + interval '50 seconds' from pgmq.set_vt('tap_vt', 1, 60) as v $$, $$ values (1::bigint, 0, true, true) $$, 'one, in seconds');
select results_eq($$ select v.msg_id, v.vt from pgmq.set_vt('tap_vt', 1, '2040-01-01 00:00:00+00'::timestamptz) as v $$, $$ values (1::bigint, '2040-01-01 00:00:00+00'::timestamptz) $$, 'one, at a time');
select results_eq($$ select v.msg_id from pgmq.set_vt('tap_vt', array[2, 3, 99]::bigint[], 60) as v order by 1 $$, $$ values (2::bigint), (3) $$, 'many, in seconds');
select is_empty($$ select from pgmq.read('tap_vt', 0, 10) $$, 'all are hidden');
select results_eq($$ select v.msg_id from pgmq.set_vt('tap_vt', array[2, 3]::bigint[], '2020-01-01 00:00:00+00'::timestamptz) as v order by 1 $$, $$ values (2::bigint), (3) $$, 'many, at a time');
select results_eq($$ select r.msg_id from pgmq.read('tap_vt', 0, 10) as r order by 1 $$, $$ values (2::bigint), (3) $$, 'these are visible again');
select is_empty($$ select from pgmq.set_vt('tap_vt', 99, 1) $$, 'one that is not there');
select is_empty($$ select from pgmq.set_vt('tap_vt', null::bigint, 1) $$, 'null');
select is_empty($$ select from pgmq.set_vt('tap_vt', '{}'::bigint[], 1) $$, 'none');
select throws_ok($$ select from pgmq.set_vt('tap_vt', 1, null::integer) $$, '23502', null, 'a null time is refused');
select throws_ok($$ select from pgmq.set_vt('tap_none', 1, 1) $$, '42P01', null, 'a queue that does not exist');

select * from finish();
rollback;
