begin;
select plan(5);

select pgmq.create('tap_groups');
select pgmq.send('tap_groups', to_jsonb(m.n), case when m.name <> '' then jsonb_build_object('x-pgmq-group', m.name) end)
  from (values (1, 'a'), (2, 'b'), (3, 'a'), (4, ''), (5, 'b'), (6, 'c'), (7, 'a'), (8, ''), (9, 'c')) as m (n, name);
select pgmq.set_vt('tap_groups', 3, 60);
select results_eq($$ select r.msg_id from pgmq.read_grouped_rr('tap_groups', 0, 30) as r $$, $$ values (1::bigint), (2), (4), (6), (7), (5), (8), (9) $$, 'each group gives a message in turn, in the order of the groups');
select results_eq($$ select r.msg_id from pgmq.read_grouped_rr('tap_groups', 30, 5) as r $$, $$ values (1::bigint), (2), (4), (6), (7) $$, 'the number limits the messages');
select is_empty($$ select from pgmq.read_grouped_rr('tap_groups', 30, 30) $$, 'no group is read while each has a message in flight');
select is_empty($$ select from pgmq.read_grouped_rr('tap_groups', 30, null) $$, 'a null number returns nothing');
select throws_ok($$ select from pgmq.read_grouped_rr('tap_none', 0, 1) $$, '42P01', null, 'an unknown queue is refused');

select * from finish();
rollback;
