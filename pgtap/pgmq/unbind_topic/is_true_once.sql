begin;
select plan(5);

select pgmq.create('tap_topic');
select pgmq.bind_topic('tap.*', 'tap_topic');
select ok(pgmq.unbind_topic('tap.*', 'tap_topic'), 'true');
select ok(not pgmq.unbind_topic('tap.*', 'tap_topic'), 'then false');
select ok(not pgmq.unbind_topic('no pattern', 'tap_none'), 'false for what cannot be');
select throws_ok($$ select pgmq.unbind_topic(null, 'tap_topic') $$, 'P0001', 'pattern cannot be NULL or empty', 'null for a pattern');
select throws_ok($$ select pgmq.unbind_topic('tap.*', '') $$, 'P0001', 'queue_name cannot be NULL or empty', 'no queue');

select * from finish();
rollback;
