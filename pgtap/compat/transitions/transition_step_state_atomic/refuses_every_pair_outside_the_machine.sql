-- Ten states make a hundred pairs. Those that the machine does not hold are refused, although the step
-- is in the first of them.
begin;
select plan(5);

select tasker_test.make_task_with_steps_in_every_state();

create function pg_temp.refusal(p_from text, p_to text)
  returns text
  language plpgsql
as $$
begin
  perform tasker.transition_step_state_atomic(tasker_test.the_step(p_from), p_from, p_to);
  return null;
exception when others then
  return format('%s: %s', sqlstate, sqlerrm);
end;
$$;

select tasker_test.remember_rows();

create temporary table refusals as
  select f.state as from_state, t.state as to_state, pg_temp.refusal(f.state::text, t.state::text) as refusal
    from tasker.list_step_states() as f
   cross join tasker.list_step_states() as t
   where (f.state, t.state) not in (select m.from_state, m.to_state from tasker.list_step_transitions() as m);

select is((select count(*) from refusals), 71::bigint, 'the machine holds 50 pairs and not the other 71');
select is((select count(*) from refusals where from_state = to_state), 11::bigint, 'no state follows itself');
select is_empty(
  $$
  select *
    from refusals
   where refusal is distinct
    from format('TK409: a step cannot go from %s to %s', from_state, to_state)
  $$,
  'each of them is refused with TK409'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
