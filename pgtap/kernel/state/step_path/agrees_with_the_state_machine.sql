-- People and functions read the table; the log has a path for each row. Try every combination of state, event and
-- state, whether it is in the table or not.
begin;
select plan(2);

create function pg_temp.accepts(p_from tasker.step_state, p_event text, p_to tasker.step_state)
  returns boolean
  language plpgsql
as $$
begin
  return tasker.step_path('00000000-0000-7000-8000-000000000000', 1, p_from, null, p_event, p_to) is not null;
exception when sqlstate 'TK409' then
  return false;
end;
$$;

select results_eq(
  $$
  select f.state, e.event, t.state
    from unnest(enum_range(null::tasker.step_state)) as f (state)
   cross join unnest(enum_range(null::tasker.step_state)) as t (state)
   cross join (select m.event from tasker.step_state_machine as m union values ('Unknown'), ('')) as e (event)
   where pg_temp.accepts(f.state, e.event, t.state)
   order by 1, 2, 3
  $$,
  $$ select m.from_state, m.event, m.to_state from tasker.step_state_machine as m order by 1, 2, 3 $$,
  'each row of the table is a path, and nothing else is'
);
select is(pg_temp.accepts('pending', null, 'cancelled'), false, 'a null event is refused');

select * from finish();
rollback;
