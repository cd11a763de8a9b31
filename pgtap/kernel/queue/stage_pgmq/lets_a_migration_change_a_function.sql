begin;
select plan(4);

select tasker_test.take_turn();
set local client_min_messages = error;
create temporary table before as select tasker.pgmq_kind() as kind;
select pgmq.create('tap_stage');
select tasker.stage_pgmq();
create or replace function tasker_pgmq.list_queues() returns setof tasker_pgmq.queue_record language plpgsql as 'begin return next null; end';
select is(tasker.settle_pgmq(), (select b.kind from before as b), 'the kind is the same as before');
select hasnt_schema('tasker_pgmq'::name, 'the staged schema no longer exists');
select ok(exists (select from pgmq.list_queues() as q where q.queue_name is null) = (select b.kind = 'own' from before as b), 'the function has changed only if pgtasker installed pgmq');
select results_eq($$ select pgmq.send('tap_stage', '1') $$, $$ values (1::bigint) $$, 'the queue can still be used');

select * from finish();
rollback;
