-- One task in each of the twelve states, with histories of different lengths.
begin;
select plan(2);

create temporary table tasks as
  select s.state, tasker_test.make_task_in(s.state::text) as task
    from tasker.list_task_states() as s;

select results_eq(
  $$
  select t.state::text, array_agg(v.to_state::text) filter (where v.most_recent)
    from tasks as t
    join tasker.task_transitions as v on v.task_uuid = t.task
   group by t.state
   order by t.state
  $$,
  'select s.state::text, array[s.state::text] from tasker.list_task_states() as s order by s.state',
  'the only most recent row leads to the current state'
);
select results_eq(
  $$
  select t.state::text, v.to_state::text
    from tasks as t
    join tasker.task_transitions as v on v.task_uuid = t.task and v.most_recent
   order by t.state
  $$,
  'select s.state::text, s.state::text from tasker.list_task_states() as s order by s.state',
  'a query for most_recent returns that row'
);

select * from finish();
rollback;
