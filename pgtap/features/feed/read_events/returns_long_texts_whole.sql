begin;
select plan(4);

select tasker_test.subscribe();
select tasker_test.register('one', 'a');
select c.task_uuid as task from tasker.create_task('test', 'one', '{}') as c \gset
select string_agg(md5(i::text), '') as text from generate_series(1, 25) as i \gset
select tasker.resolve_step_manually(tasker_test.step(:'task', 'a'), p_reason => :'text', p_actor => 'ann');
select c.task_uuid as cancelled from tasker.create_task('test', 'one', '{"no": 2}') as c \gset
select tasker.cancel_task(:'cancelled', p_reason => 'late', p_actor => 'eve');

create temporary table expected as
  select l.task_uuid, l.step_no, l.sort_key, l.actor, l.reason, coalesce(l.metadata, '{}') as metadata from tasker.workflow_step_transition_log as l
   union all
  select l.task_uuid, 0, l.sort_key, l.actor, l.reason, coalesce(l.metadata, '{}') from tasker.task_transition_log as l;
select is((select max(length(e.reason)) from expected as e), 800, 'a reason has 800 characters');
create function pg_temp.got(p_limit integer) returns table (task_uuid uuid, step_no integer, sort_key integer, actor text, reason text, metadata jsonb)
  language sql as $$
  select r.task_uuid, coalesce(tasker.step_no_of(r.workflow_step_uuid), 0), r.sort_key, r.actor, r.reason, r.metadata
    from tasker_test.read(p_limit) as r
   where r.event <> 'Create'
$$;
select bag_eq('select * from pg_temp.got(1000)', 'select * from expected', 'read_events returns actors, reasons and metadata as they were logged');
select tasker_test.read(1);
select ok(exists (select from tasker.feed_lists as l, unnest(l.finds) as f where f.has_more and f.reason is null), 'a list does not store long texts');
select bag_eq('select * from pg_temp.got(1000)', 'select * from expected', 'read_events returns the same texts through the list');

select * from finish();
rollback;
