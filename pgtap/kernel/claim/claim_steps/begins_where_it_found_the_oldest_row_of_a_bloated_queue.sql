begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
create function pg_temp.claimed() returns bigint language sql
begin atomic
  select count(*) from tasker.claim_steps('{test}', '00000000-0000-4000-8000-000000000007', 1, p_handlers => '{a}');
end;
create function pg_temp.cost() returns bigint language sql
as $$ select tasker_test.buffers('select pg_temp.claimed()') $$;
select tasker_test.launch('one') from generate_series(1, 6);
select pg_temp.cost() as warm \gset
select pg_temp.cost() as before \gset

-- The rows that are deleted stay in the index: this transaction has not committed.
insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
select tasker.mint_task_uuid(), 1, 'test', 'normal', h.named_step_uuid, tasker.clock() - interval '1 minute'
  from tasker.named_steps as h
 cross join generate_series(1, 9000)
 where h.name = 'a';
delete from tasker.step_queue as q where q.visible_at = tasker.clock() - interval '1 minute';
select cmp_ok(pg_temp.cost(), '>', :before + 100::bigint, 'a claim reads the rows that have gone');

create or replace function tasker.queue_is_bloated() returns boolean language sql stable begin atomic select true; end;
select pg_temp.cost() as first \gset
select cmp_ok(pg_temp.cost(), '<=', :before + 60::bigint, 'if there are many, the next claim of the session does not');

select tasker_test.launch('one') as task \gset
update tasker.step_queue as q set visible_at = tasker.clock() - interval '30 seconds' where q.task_uuid = :'task';
select is(pg_temp.claimed(), 1::bigint, 'a claim takes what it sees');
select is((select count(*) from tasker.step_queue as q where q.visible_at = tasker.clock() - interval '30 seconds'), 1::bigint,
  'it leaves a row that was dated back to the next reading from the beginning');
select is(pg_temp.claimed(), 1::bigint, 'which follows at once when there is nothing else');
select is((select count(*) from tasker.step_queue as q where q.lane = 'normal'), 0::bigint, 'so nothing stays');

select * from finish();
rollback;
