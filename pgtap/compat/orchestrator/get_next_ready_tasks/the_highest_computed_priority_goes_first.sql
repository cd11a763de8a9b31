begin;
select plan(3);

select tasker_test.freeze('2026-11-21 10:00Z');
select tasker_test.register('plain', 'only');
insert into tasker.task_namespaces (name, priority_modifier) values ('urgent', 3);
insert into tasker.named_tasks (task_namespace_uuid, name, content_hash)
select n.task_namespace_uuid, 'other', sha256('other') from tasker.task_namespaces as n where n.name = 'urgent';

-- One row for each term: priority, modifier, age, retries, deadline.
create temporary table wanted (task_uuid uuid, place integer);
create function pg_temp.make(p_template text, p_priority integer, p_attempts integer, p_deadline timestamptz, p_place integer)
  returns void language plpgsql as $$
declare
  v_task uuid := tasker_test.make_task(p_template);
begin
  update tasker.tasks set priority = p_priority, deadline = p_deadline where task_uuid = v_task;
  update tasker.workflow_steps set attempts = p_attempts where task_uuid = v_task;
  insert into wanted values (v_task, p_place);
end;
$$;
select pg_temp.make('plain', 1, 0, null, 5);                              -- 1 + 0.2 for two hours
select tasker_test.pass('2 hours');
select pg_temp.make('plain', 0, 0, null, 6);                              -- 0
select pg_temp.make('plain', 7, 0, null, 1);                              -- 7
select pg_temp.make('other', 0, 0, null, 3);                              -- 3
select pg_temp.make('plain', 0, 3, null, 4);                              -- 2 retries
select pg_temp.make('plain', -5, 0, tasker.clock() + interval '1 hour', 2); -- -5
select tasker_test.pass('54 minutes');                                    -- nine tenths of the hour: +9

select tasker.rank_waiting_tasks();
create temporary table found as select row_number() over () as place, r.* from tasker.get_next_ready_tasks(10) as r;
select results_eq(
  'select f.task_uuid from found as f order by f.place',
  'select w.task_uuid from wanted as w order by w.place',
  'tasks come in the order of the computed priority'
);
select results_eq(
  'select round(f.computed_priority, 2) from found as f order by f.place',
  array[7.09, 4.09, 3.09, 2.09, 1.29, 0.09],
  'the priority has the terms priority, deadline, modifier, retries and age'
);
select results_eq(
  'select round(f.computed_priority, 2) from found as f where f.place = 1',
  'select round(7 + 0.1 * 0.9, 2)',
  'the age counts in hours'
);

select * from finish();
rollback;
