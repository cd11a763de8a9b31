-- What a call reads must not depend on how many messages are hidden or delayed.
begin;
select plan(2);

select pgmq.create('tap_deep');
select count(*) from pgmq.send_batch('tap_deep', array_fill('1'::jsonb, array[5000]), 3600);
select pgmq.send('tap_deep', '2'::jsonb);
analyze pgmq.q_tap_deep;

create function pg_temp.plan(p_sql text) returns setof text language plpgsql as $$ begin return query execute 'explain ' || p_sql; end $$;
select matches(
  (select string_agg(p, ' ') from pg_temp.plan('select q.msg_id from pgmq.q_tap_deep as q where q.vt <= now() order by q.vt, q.msg_id limit 1') as p),
  case when tasker.pgmq_kind() = 'own' then 'Index Only Scan using q_tap_deep_vt_idx' else '.' end,
  'the index has the order'
);
select results_eq($$ select r.message from pgmq.read('tap_deep', 30, 1) as r $$, $$ values ('2'::jsonb) $$, 'the visible one is found');

select * from finish();
rollback;
