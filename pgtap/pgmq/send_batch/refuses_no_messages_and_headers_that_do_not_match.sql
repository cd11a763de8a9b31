begin;
select plan(9);

select pgmq.create('tap_batch');
select throws_ok($$ select pgmq.send_batch('tap_batch', null::jsonb[]) $$, 'P0001', 'msgs cannot be NULL or empty', 'a null array is refused');
select throws_ok($$ select pgmq.send_batch('tap_batch', '{}'::jsonb[]) $$, 'P0001', 'msgs cannot be NULL or empty', 'an empty array is refused');
select throws_ok($$ select pgmq.send_batch('tap_batch', array['1', '2']::jsonb[], array['{}']::jsonb[]) $$, 'P0001', 'headers array length (1) must match msgs array length (2)', 'fewer headers than messages are refused');
select throws_ok($$ select pgmq.send_batch('tap_batch', array['1']::jsonb[], array['{}', '{}']::jsonb[]) $$, 'P0001', 'headers array length (2) must match msgs array length (1)', 'more headers than messages are refused');
select throws_ok($$ select pgmq.send_batch('tap_batch', array['1']::jsonb[], '{}'::jsonb[], 5) $$, 'P0001', 'headers array length (0) must match msgs array length (1)', 'an empty array of headers is refused');
select lives_ok($$ select pgmq.send_batch('tap_batch', array['1']::jsonb[], null::jsonb[]) $$, 'a null array of headers is accepted');
select lives_ok($$ select pgmq.send_batch('tap_batch', array[null]::jsonb[]) $$, 'a null message is accepted');
select throws_ok($$ select pgmq.send_batch('tap_none', array['1']::jsonb[]) $$, '42P01', null, 'an unknown queue is refused');
select results_eq('select q.message, q.headers from pgmq.q_tap_batch as q order by q.msg_id', $$ values ('1'::jsonb, null::jsonb), (null, null) $$, 'a refused call sends no message');

select * from finish();
rollback;
