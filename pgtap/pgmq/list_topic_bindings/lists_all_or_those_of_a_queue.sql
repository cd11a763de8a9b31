begin;
select plan(3);

select pgmq.create('tap_t1'), pgmq.create('tap_t2');
select pgmq.bind_topic('tap.a', 'tap_t1'), pgmq.bind_topic('tap.b', 'tap_t2'), pgmq.bind_topic('tap.#', 'tap_t1');
select results_eq($$ select b.pattern, b.queue_name from pgmq.list_topic_bindings() as b where b.queue_name in ('tap_t1', 'tap_t2') $$, $$ values ('tap.#', 'tap_t1'), ('tap.a', 'tap_t1'), ('tap.b', 'tap_t2') $$, 'all bindings are listed without a queue');
select results_eq($$ select b.pattern from pgmq.list_topic_bindings('tap_t1') as b $$, $$ values ('tap.#'), ('tap.a') $$, 'the bindings of one queue are listed');
select is_empty($$ select from pgmq.list_topic_bindings('tap_none') $$, 'an unknown queue has no bindings');

select * from finish();
rollback;
