begin;
select plan(5);

select pgmq.create('tap_topic');
select pgmq.bind_topic('tap.*', 'tap_topic');
select ok(pgmq.unbind_topic('tap.*', 'tap_topic'), 'unbind_topic returns true for a binding');
select ok(not pgmq.unbind_topic('tap.*', 'tap_topic'), 'it returns false for a deleted binding');
select ok(not pgmq.unbind_topic('no pattern', 'tap_none'), 'it returns false for an unknown pattern and queue');
select throws_ok($$ select pgmq.unbind_topic(null, 'tap_topic') $$, 'P0001', 'pattern cannot be NULL or empty', 'a null pattern is refused');
select throws_ok($$ select pgmq.unbind_topic('tap.*', '') $$, 'P0001', 'queue_name cannot be NULL or empty', 'an empty queue name is refused');

select * from finish();
rollback;
