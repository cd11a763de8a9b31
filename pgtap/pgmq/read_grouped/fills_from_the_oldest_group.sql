begin;
select plan(4);

select pgmq.create('tap_groups');
select pgmq.send('tap_groups', to_jsonb(m.n), case when m.name <> '' then jsonb_build_object('x-pgmq-group', m.name) end)
  from (values (1, 'a'), (2, 'b'), (3, 'a'), (4, ''), (5, 'b'), (6, 'c'), (7, 'a'), (8, ''), (9, 'c')) as m (n, name);

select results_eq($$ select r.msg_id, r.read_ct from pgmq.read_grouped('tap_groups', 30, 4) as r $$, $$ values (1::bigint, 1), (2, 1), (3, 1), (7, 1) $$, 'the oldest group is read whole, then the next group');
select results_eq($$ select r.msg_id from pgmq.read_grouped('tap_groups', 30, 30) as r $$, $$ values (4::bigint), (6), (8), (9) $$, 'groups without a message in flight are read next');
select is_empty($$ select from pgmq.read_grouped('tap_groups', 30, 30) $$, 'a group with a message in flight is not read');
select pgmq.delete('tap_groups', 2);
select results_eq($$ select r.msg_id from pgmq.read_grouped('tap_groups', 30, 30) as r $$, $$ values (5::bigint) $$, 'the group is read again when that message is deleted');

select * from finish();
rollback;
