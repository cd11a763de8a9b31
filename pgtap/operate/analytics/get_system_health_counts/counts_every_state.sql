begin;
select plan(6);

select setseed(0.16);
select tasker_test.freeze();
select tasker_test.make_task_in(s::text)
  from unnest(enum_range(null::tasker.task_state)) as s, generate_series(1, (random() * 3)::integer + 1);
select tasker_test.make_task_with_steps_in_every_state();
select tasker.roll_up();
create temporary table health as select to_jsonb(h) as counts from tasker.get_system_health_counts() as h;

select is_empty(
  $$ select s.state, h.counts -> (s.state || '_tasks'), count(t.*)
       from tasker.task_states as s
      cross join health as h
       left join tasker.tasks as t on t.state = s.state
      group by s.state, h.counts
     having count(t.*) is distinct from (h.counts ->> (s.state || '_tasks'))::bigint $$,
  'it counts the tasks in each of the twelve states'
);
select is_empty(
  $$ select s.state, h.counts -> (s.state || '_steps'), count(w.*)
       from tasker.step_states as s
      cross join health as h
       left join (tasker.workflow_steps as w join tasker.tasks as t on t.task_uuid = w.task_uuid)
         on w.state = s.state and (s.terminal or not t.complete)
      group by s.state, h.counts
     having count(w.*) is distinct from (h.counts ->> (s.state || '_steps'))::bigint $$,
  'it counts the steps in each state, unfinished ones only in open tasks'
);
select is(
  (select (h.counts ->> 'total_tasks')::bigint from health as h), (select count(*) from tasker.tasks), 'total_tasks counts all tasks'
);
select is(
  (select (h.counts ->> 'total_steps')::bigint from health as h),
  (select sum(v.value::bigint)::bigint
     from health as h
    cross join lateral jsonb_each_text(h.counts) as v
     join tasker.step_states as s on v.key = s.state || '_steps'),
  'total_steps is the sum of the steps in each state'
);
select cmp_ok(
  (select (h.counts ->> 'active_connections')::bigint from health as h), '>=', 1::bigint, 'active_connections counts at least this connection'
);
select is(
  (select (h.counts ->> 'max_connections') from health as h), current_setting('max_connections'), 'max_connections is the setting of the server'
);

select * from finish();
rollback;
