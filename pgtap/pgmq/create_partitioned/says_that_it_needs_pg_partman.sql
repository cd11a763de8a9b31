begin;
select plan(3);

select throws_ok($$ select pgmq.create_partitioned('tap_parts') $$, 'P0001', 'pg_partman is required for partitioned queues', 'a call with defaults is refused without pg_partman');
select throws_ok($$ select pgmq.create_partitioned('tap_parts', '1 day', '7 days') $$, 'P0001', 'pg_partman is required for partitioned queues', 'a call with intervals is refused without pg_partman');
select hasnt_table('pgmq'::name, 'q_tap_parts'::name, 'no table is created');

select * from finish();
rollback;
