begin;
select plan(9);

select tasker_test.take_turn();
create function pg_temp.problem(p_step jsonb) returns text language sql as $$
  select string_agg(p.path || ' ' || p.problem, '; ' order by p.path collate "C") from tasker.validate_task_template(
    jsonb_build_object('namespace', 'test', 'name', 'x', 'steps', jsonb_build_array('{"name": "a"}'::jsonb || p_step))
  ) as p
$$;
select is(pg_temp.problem('{"limit_units": 2, "limit_hold": "run", "limits": ["b"]}'),
  'steps[0].limit_hold has no meaning without a limit; steps[0].limit_units has no meaning without a limit; steps[0].limits has no meaning without a limit', 'each field needs a limit');
select is(pg_temp.problem('{"limit": "a", "limit_units": 0}'), 'steps[0].limit_units must be a whole number from 1 to 1000000, not 0', 'units begin with one');
select is(pg_temp.problem('{"limit": "a", "limit_hold": "ever"}'), 'steps[0].limit_hold cannot be "ever"; it must be one of claim, run', 'a limit is held for a claim or a run');
select is(pg_temp.problem('{"limit": "a", "limits": ["b", {"limit": "a"}]}'), 'steps[0].limits[1] names limit "a" again', 'a step names a limit once');
select is(pg_temp.problem('{"limit": "a", "limits": [7, "$(x)"]}'),
  'steps[0].limits[0] must be the name of a limit or an object; steps[0].limits[1] must be the name of a limit or an object', 'a further limit is a name or an object');
select is(pg_temp.problem('{"limit": "a", "limits": [{"limit_key": "$.x"}]}'), 'steps[0].limits[0].limit is missing', 'a further limit has a name');
select is(pg_temp.problem('{"limit": "a", "limits": [{"limit": "b", "limit_key": "customer"}]}'),
  'steps[0].limits[0].limit_key "customer" is not a path of the context or the inputs', 'its key is a path');
select is(pg_temp.problem('{"limit": "a", "limits": ["b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]}'), 'steps[0].limits must have at most 10 elements, not 11', 'a step has at most eleven limits');

select tasker_test.register('one', 'a');
select from tasker.create_task('test', 'one');
select throws_ok(
  format($$ select tasker.add_steps(%L, '[{"name": "b", "limit": "a", "limit_units": 2}]') $$, (select t.task_uuid from tasker.tasks as t)),
  'TK422', 'a step that is added has one place of one limit', 'a step that is added has no units'
);

select * from finish();
rollback;
