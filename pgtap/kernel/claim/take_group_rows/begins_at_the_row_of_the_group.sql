begin;
select plan(2);

select tasker_test.freeze();
insert into tasker.task_namespaces (name) values ('tap') on conflict do nothing;
insert into tasker.named_steps (named_step_uuid, name) values ('00000000-0000-4000-8000-000000000007', 'tap.seven');
create function pg_temp.ready(p_rows integer, p_age interval) returns void language sql
begin atomic
  insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
  select tasker.mint_task_uuid(), 1, 'tap', 'normal', '00000000-0000-4000-8000-000000000007', tasker.clock() - p_age
    from generate_series(1, p_rows);
end;
select pg_temp.ready(1, '0');
create temp table probe as
select g as row from tasker.handler_groups('{tap}', '{tap.seven}', tasker.clock()) as g;
\set take 'select tasker_test.buffers($$ select tasker.take_group_rows(array(select p.row from probe as p), 1, tasker.clock() + interval ''1 minute'', true) $$)'
:take;
select pg_temp.ready(1, '0');
:take as few \gset

-- The rows that are deleted stay in the index: this transaction has not committed.
select pg_temp.ready(3000, '1 minute');
delete from tasker.step_queue as q where q.lane = 'normal';
select pg_temp.ready(3, '0');
select cmp_ok((:take), '<=', (:few + 20)::bigint, 'rows that were taken before are not read again');
select is(
  (select count(*) from tasker.step_queue as q where q.namespace = 'tap' and q.lane = 'running'), 3::bigint,
  'and one that is there is taken'
);

select * from finish();
rollback;
