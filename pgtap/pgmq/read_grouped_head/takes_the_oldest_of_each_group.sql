begin;
select plan(4);

select pgmq.create('tap_groups');
select pgmq.send('tap_groups', to_jsonb(m.n), m.headers::jsonb)
  from (values (1, '{"x-pgmq-group": ""}'), (2, '{"x-pgmq-group": null}'), (3, '{"x-pgmq-group": 5}'), (4, '{"x-pgmq-group": "5"}'), (5, null), (6, '{"x-pgmq-group": "z"}')) as m (n, headers);
select results_eq($$ select r.msg_id from pgmq.read_grouped_head('tap_groups', 0, null) as r order by 1 $$, $$ values (1::bigint), (2), (3), (6) $$, 'messages with an empty name and without a name are two groups, and a number equals its text');
select results_eq($$ select r.msg_id from pgmq.read_grouped_head('tap_groups', 30, 2) as r order by 1 $$, $$ values (1::bigint), (2) $$, 'the number limits the groups');
select results_eq($$ select r.msg_id from pgmq.read_grouped_head('tap_groups', 30, 30) as r order by 1 $$, $$ values (3::bigint), (6) $$, 'the other groups are read next');
select throws_ok($$ select from pgmq.read_grouped_head('tap_groups', 0, -1) $$, '2201W', 'LIMIT must not be negative', 'a negative number is refused');

select * from finish();
rollback;
