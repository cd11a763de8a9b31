begin;
select plan(9);

select pgmq.create('tap_batch');
select throws_ok($$ select pgmq.send_batch('tap_batch', null::jsonb[]) $$, 'P0001', 'msgs cannot be NULL or empty', 'null');
select throws_ok($$ select pgmq.send_batch('tap_batch', '{}'::jsonb[]) $$, 'P0001', 'msgs cannot be NULL or empty', 'none');
select throws_ok($$ select pgmq.send_batch('tap_batch', array['1', '2']::jsonb[], array['{}']::jsonb[]) $$, 'P0001', 'headers array length (1) must match msgs array length (2)', 'too few headers');
select throws_ok($$ select pgmq.send_batch('tap_batch', array['1']::jsonb[], array['{}', '{}']::jsonb[]) $$, 'P0001', 'headers array length (2) must match msgs array length (1)', 'too many');
select throws_ok($$ select pgmq.send_batch('tap_batch', array['1']::jsonb[], '{}'::jsonb[], 5) $$, 'P0001', 'headers array length (0) must match msgs array length (1)', 'an empty array of them');
select lives_ok($$ select pgmq.send_batch('tap_batch', array['1']::jsonb[], null::jsonb[]) $$, 'null headers are none');
select lives_ok($$ select pgmq.send_batch('tap_batch', array[null]::jsonb[]) $$, 'a null message is a message');
select throws_ok($$ select pgmq.send_batch('tap_none', array['1']::jsonb[]) $$, '42P01', null, 'a queue that does not exist');
select is((select count(*)::integer from pgmq.q_tap_batch), 2, 'what was refused left nothing');

select * from finish();
rollback;
