begin;
select plan(5);

select tasker_test.take_turn();
select ok(tasker.pgmq_kind() in ('own', 'extension'), 'the one of this database');
set local client_min_messages = error;
drop extension if exists pgmq cascade;
drop schema if exists pgmq cascade;
select is(tasker.pgmq_kind(), 'none', 'no schema');
create schema pgmq;
select is(tasker.pgmq_kind(), 'none', 'an empty one');
create function pgmq.send(text, jsonb) returns bigint language sql as 'select 1::bigint';
select is(tasker.pgmq_kind(), 'none', 'one with a function of the name');
create function pgmq.create(text) returns void language sql as '';
create function pgmq.send_batch(text, jsonb[]) returns setof bigint language sql as 'select 1::bigint';
create function pgmq.read(text, integer, integer) returns bigint language sql as 'select 1::bigint';
create function pgmq.delete(text, bigint) returns boolean language sql as 'select true';
create function pgmq.archive(text, bigint) returns boolean language sql as 'select true';
create function pgmq.set_vt(text, bigint, integer) returns bigint language sql as 'select 1::bigint';
select is(tasker.pgmq_kind(), 'foreign', 'one with all that is needed');

select * from finish();
rollback;
