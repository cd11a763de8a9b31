begin;
select plan(4);

select pgmq.create('tap_odd');
select results_eq($$ select pgmq.send('tap_odd', null::jsonb) $$, $$ values (1::bigint) $$, 'a null message is accepted');
select results_eq($$ select pgmq.send('tap_odd', '1', -60) $$, $$ values (2::bigint) $$, 'a negative delay is accepted');
select results_eq(
  $$ select r.msg_id, r.message from pgmq.read('tap_odd', 0, 10) as r order by r.msg_id $$,
  $$ values (1::bigint, null::jsonb), (2, '1') $$, 'both messages can be read'
);
select throws_ok($$ select pgmq.send('tap_odd', '1', null::integer) $$, '23502', null, 'a null delay is refused');

select * from finish();
rollback;
