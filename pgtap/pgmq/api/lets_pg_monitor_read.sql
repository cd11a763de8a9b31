begin;
select plan(5);

select pgmq.create('tap_monitored');
select ok(has_schema_privilege('pg_monitor', 'pgmq', 'usage'), 'pg_monitor may use the schema');
select ok(has_table_privilege('pg_monitor', 'pgmq.meta', 'select'), 'pg_monitor may read the list of queues');
select ok(has_table_privilege('pg_monitor', 'pgmq.q_tap_monitored', 'select'), 'pg_monitor may read a new queue');
select ok(has_table_privilege('pg_monitor', 'pgmq.a_tap_monitored', 'select'), 'pg_monitor may read its archive');
select ok(has_sequence_privilege('pg_monitor', 'pgmq.q_tap_monitored_msg_id_seq', 'select'), 'pg_monitor may read its sequence');

select * from finish();
rollback;
