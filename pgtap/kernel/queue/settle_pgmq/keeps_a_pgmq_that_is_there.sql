begin;
select plan(3);

select tasker_test.take_turn();
set local client_min_messages = error;
create temporary table before as select n.oid from pg_namespace as n where n.nspname = 'pgmq';
create schema tasker_pgmq authorization tasker_owner;
create function tasker_pgmq.mark() returns integer language sql as 'select 1';
select is(tasker.settle_pgmq(), tasker.pgmq_kind(), 'settle_pgmq returns the kind');
select is((select n.oid from pg_namespace as n where n.nspname = 'pgmq'), (select b.oid from before as b), 'the schema is the same as before');
select hasnt_schema('tasker_pgmq'::name, 'the staged schema is dropped');

select * from finish();
rollback;
