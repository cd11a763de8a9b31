-- Twelve states make 144 pairs. Those that the machine does not hold are refused, although the task is in
-- the first of them.
begin;
select plan(5);

create temporary table tasks as
  select s.state, tasker_test.make_task_in(s.state::text) as task
    from tasker.list_task_states() as s;

create function pg_temp.refusal(p_task uuid, p_from text, p_to text)
  returns text
  language plpgsql
as $$
begin
  perform tasker.transition_task_state_atomic(p_task, p_from, p_to);
  return null;
exception when others then
  return format('%s: %s', sqlstate, sqlerrm);
end;
$$;

select tasker_test.remember_rows();

create temporary table refusals as
  select f.state as from_state, t.state as to_state, pg_temp.refusal(f.task, f.state::text, t.state::text) as refusal
    from tasks as f
   cross join tasker.list_task_states() as t
   where (f.state, t.state) not in (select m.from_state, m.to_state from tasker.list_task_transitions() as m);

select is((select count(*) from refusals), 109::bigint, 'the machine holds 35 pairs and not the other 109');
select is((select count(*) from refusals where from_state = to_state), 12::bigint, 'no state follows itself');
select is_empty(
  $$
  select *
    from refusals
   where refusal is distinct
    from format('TK409: a task cannot go from %s to %s', from_state, to_state)
  $$,
  'each of them is refused with TK409'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select is_empty(
  'select v from tasks as t cross join lateral tasker_test.violations(t.task) as v',
  'every invariant holds'
);

select * from finish();
rollback;
