begin;
select plan(3);

select tasker_test.take_turn();
set local client_min_messages = error;
set local tasker.pgmq = 'own';
drop extension if exists pgmq cascade;
drop schema if exists pgmq cascade;
create schema tasker_pgmq authorization tasker_owner;
create function tasker_pgmq.mark() returns integer language sql as 'select 1';
select is(tasker.settle_pgmq(), 'none', 'the kind is none, as the staged schema has no functions of pgmq');
select hasnt_schema('tasker_pgmq'::name, 'the staged schema no longer exists');
select has_function('pgmq'::name, 'mark'::name, 'its function is in schema pgmq');

select * from finish();
rollback;
