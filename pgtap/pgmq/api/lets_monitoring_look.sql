begin;
select plan(5);

select pgmq.create('tap_monitored');
select ok(has_schema_privilege('pg_monitor', 'pgmq', 'usage'), 'the schema');
select ok(has_table_privilege('pg_monitor', 'pgmq.meta', 'select'), 'the list of queues');
select ok(has_table_privilege('pg_monitor', 'pgmq.q_tap_monitored', 'select'), 'a new queue');
select ok(has_table_privilege('pg_monitor', 'pgmq.a_tap_monitored', 'select'), 'its archive');
select ok(has_sequence_privilege('pg_monitor', 'pgmq.q_tap_monitored_msg_id_seq', 'select'), 'its sequence');

select * from finish();
rollback;
