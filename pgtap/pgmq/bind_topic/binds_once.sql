begin;
select plan(5);

select pgmq.create('tap_topic');
select pgmq.bind_topic('tap.*', 'tap_topic'), pgmq.bind_topic('tap.*', 'tap_topic');
select results_eq(
  $$ select b.pattern, b.queue_name, b.bound_at, b.compiled_regex from pgmq.list_topic_bindings('tap_topic') as b $$,
  $$ values ('tap.*', 'tap_topic', now(), '^tap\.[^.]+$') $$, 'a pattern is bound once and has its regular expression'
);
select throws_ok($$ select pgmq.bind_topic('tap.*', 'tap_none') $$, 'P0001', 'Queue "tap_none" does not exist. Create the queue first using pgmq.create()', 'an unknown queue is refused');
select throws_ok($$ select pgmq.bind_topic('tap.*', null) $$, 'P0001', 'queue_name cannot be NULL or empty', 'a null queue is refused');
select throws_ok($$ select pgmq.bind_topic('tap.*', '') $$, 'P0001', 'queue_name cannot be NULL or empty', 'an empty queue name is refused');
select throws_ok($$ select pgmq.bind_topic('tap..x', 'tap_topic') $$, 'P0001', 'pattern cannot contain consecutive dots. Got: tap..x', 'an invalid pattern is refused');

select * from finish();
rollback;
