begin;
select plan(4);

create function pg_temp.make_ended(p_state text)
  returns table (task uuid, left_step uuid, right_step uuid)
  language plpgsql
as $$
begin
  perform tasker_test.make_task_in(p_state);
  return query
  select tasker_test.the_task(), tasker_test.the_step('left'), tasker_test.the_step('right');
end;
$$;

create temporary table ended as
  select s.state, e.*
    from tasker.list_task_states() as s
   cross join lateral pg_temp.make_ended(s.state::text) as e
   where s.terminal;

select throws_ok(
  format('select tasker.add_step_edge(%L, %L)', e.left_step, e.right_step),
  'TK409', format('task %s has ended: it is %s', e.task, e.state),
  format('a task in state %s is refused', e.state)
)
  from ended as e
 order by e.state;

select * from finish();
rollback;
