create table public.chosen as
select
  (select t.task_uuid from tasker.tasks as t where t.state = 'complete' order by t.task_uuid desc limit 1) as task_uuid,
  (select tasker.step_uuid(s.task_uuid, s.step_no)
     from tasker.workflow_steps as s where s.state = 'error' order by s.task_uuid desc, s.step_no limit 1) as failed_step_uuid,
  (select t.requested_at from tasker.tasks as t order by t.task_uuid limit 1) as first,
  (select t.requested_at from tasker.tasks as t order by t.task_uuid desc offset (select count(*) / 10 from tasker.tasks) limit 1) as late;
alter table public.chosen add step_uuid uuid;
update public.chosen set step_uuid = tasker.step_uuid(task_uuid, 4);
select tasker.subscribe('unread', p_since => c.first - interval '1 second') from public.chosen as c;
-- read_events sets the window of a subscription.
select tasker.subscribe('all', p_since => c.first - interval '1 second') from public.chosen as c;
select count(*) from tasker.read_events('all', '00000000-0000-4000-8000-00000000000a', 1);
-- Calls find_feed_events as read_events does.
create function public.find_events(p_from timestamptz)
  returns setof tasker.feed_finds
  language sql
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
  select unnest(tasker.find_feed_events(s, p_from, 'infinity', 1000)) from tasker.subscriptions as s where s.subscription = 'all'
$$;
