begin;
select plan(2);

select tasker_test.take_turn();
set local client_min_messages = error;
set local tasker.pgmq = 'own';
drop extension if exists pgmq cascade;
drop schema if exists pgmq cascade;
create schema pgmq;
create table pgmq.mine (a integer);
create schema tasker_pgmq authorization tasker_owner;
select throws_ok($$ select tasker.settle_pgmq() $$, 'TK409', 'schema "pgmq" exists but does not contain pgmq', 'a schema that does not contain pgmq is refused');
select has_table('pgmq'::name, 'mine'::name, 'its table is still there');

select * from finish();
rollback;
