begin;
select plan(5);

select tasker_test.take_turn();
select ok(tasker.pgmq_kind() in ('own', 'extension'), 'this database has its own pgmq or the extension');
set local client_min_messages = error;
drop extension if exists pgmq cascade;
drop schema if exists pgmq cascade;
select is(tasker.pgmq_kind(), 'none', 'the kind is none without the schema');
create schema pgmq;
select is(tasker.pgmq_kind(), 'none', 'the kind is none with an empty schema');
create function pgmq.send(text, jsonb) returns bigint language sql as 'select 1::bigint';
select is(tasker.pgmq_kind(), 'none', 'the kind is none with a single function of pgmq');
create function pgmq.create(text) returns void language sql as '';
create function pgmq.send_batch(text, jsonb[]) returns setof bigint language sql as 'select 1::bigint';
create function pgmq.read(text, integer, integer) returns bigint language sql as 'select 1::bigint';
create function pgmq.delete(text, bigint) returns boolean language sql as 'select true';
create function pgmq.archive(text, bigint) returns boolean language sql as 'select true';
create function pgmq.set_vt(text, bigint, integer) returns bigint language sql as 'select 1::bigint';
select is(tasker.pgmq_kind(), 'foreign', 'the kind is foreign with all the functions that are needed');

select * from finish();
rollback;
