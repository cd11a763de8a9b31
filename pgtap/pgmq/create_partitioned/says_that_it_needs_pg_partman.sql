begin;
select plan(3);

select throws_ok($$ select pgmq.create_partitioned('tap_parts') $$, 'P0001', 'pg_partman is required for partitioned queues', 'with defaults');
select throws_ok($$ select pgmq.create_partitioned('tap_parts', '1 day', '7 days') $$, 'P0001', 'pg_partman is required for partitioned queues', 'with intervals');
select hasnt_table('pgmq'::name, 'q_tap_parts'::name, 'and makes nothing');

select * from finish();
rollback;
