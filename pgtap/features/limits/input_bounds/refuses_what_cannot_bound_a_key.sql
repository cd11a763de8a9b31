begin;
select plan(24);

select tasker_test.take_turn();
create function pg_temp.problem(p_step jsonb) returns text language sql as $$
  select string_agg(p.path || ' ' || p.problem, '; ' order by p.path collate "C") from tasker.validate_task_template(
    jsonb_build_object('namespace', 'test', 'name', 'x', 'steps', jsonb_build_array('{"name": "a"}'::jsonb || p_step))
  ) as p
$$;
select is(pg_temp.problem('{"limit_bound": "$.n", "limit_bound_max": 3}'), 'steps[0].limit_bound has no meaning without a limit', 'a bound needs a limit');
select is(pg_temp.problem('{"limit": "a", "limit_bound": "$.n"}'), 'steps[0].limit_bound needs a limit_bound_max', 'a bound needs a maximum');
select is(pg_temp.problem('{"limit": "a", "limit_bound_max": 3}'), 'steps[0].limit_bound_max has no meaning without a limit_bound', 'a maximum needs a bound');
select is(pg_temp.problem('{"limit": "a", "limits": [{"limit": "b", "limit_bound": "$.n"}]}'), 'steps[0].limits[0].limit_bound needs a limit_bound_max', 'a further limit needs it, too');
select is(pg_temp.problem('{"limit": "a", "limit_bound": "$.n", "limit_bound_max": 0}'), 'steps[0].limit_bound_max must be a whole number from 1 to 1000000, not 0', 'a maximum is at least one');
select is(pg_temp.problem('{"limit": "a", "limit_bound": 5, "limit_bound_max": 5}'), 'steps[0].limit_bound must be a string', 'a bound is a path');
select is(pg_temp.problem('{"limit": "a", "limit_bound": "places", "limit_bound_max": 5}'), 'steps[0].limit_bound "places" is not a path of the context', 'which jsonpath can read');
select is(pg_temp.problem('{"limit": "a", "limit_bound": "$inputs.places", "limit_bound_max": 5}'), 'steps[0].limit_bound "$inputs.places" is not a path of the context', 'and leads into the context');
select is(
  pg_temp.problem('{"limit": "a", "limit_key": "$inputs.element", "limit_bound": "$.n", "limit_bound_max": 5, "for_each": "$.list"}'),
  'steps[0].limit_bound cannot bound keys of elements', 'the keys of a map''s elements are not known at creation'
);
select alike(
  (select string_agg(p.problem, '; ') from tasker.validate_task_template('{"namespace": "test", "name": "x", "encrypted": {"clear": ["customer"]}, "steps": [{"name": "a", "limit": "a", "limit_key": "$.customer", "limit_bound": "$.n", "limit_bound_max": 5}]}') as p),
  '"$.n" is no field of the context in the clear', 'a bound is not encrypted'
);
select is(pg_temp.problem('{"await": {"for": "1d"}, "limit_bound": "$.n", "limit_bound_max": 3}') like '%limit_bound has no meaning%', true, 'a wait has no bound');
select is(pg_temp.problem('{"task": {"name": "b"}, "limit_bound": "$.n", "limit_bound_max": 3}') like '%limit_bound has no meaning for a step that starts a task%', true, 'nor a step that starts a task');

select from tasker.register_task_template('{"namespace": "test", "name": "bill", "identity_strategy": "always_unique", "steps": [
  {"name": "charge", "limit": "tenant", "limit_key": "$.customer", "limit_bound": "$.places", "limit_bound_max": 50}
]}');
create function pg_temp.create_bill(p_places text) returns text language plpgsql as $$
begin
  perform tasker.create_tasks('test', 'bill', array['{"customer": "good", "places": 2}', jsonb_build_object('customer', 'a', 'places', p_places::jsonb)]);
  return 'created';
exception
  when sqlstate 'TK422' then
    return sqlerrm;
end
$$;
select is(pg_temp.create_bill(v.value), 'the context gives limit "tenant" a bound that is no whole number from 1', 'refuses ' || v.value)
  from unnest('{0,-1,1.5,1e-400,true,"\"50\"","[50]","{}"}'::text[]) as v (value);
select results_eq('select count(*), (select count(*) from tasker.limit_input_bounds) from tasker.tasks', 'values (0::bigint, 0::bigint)', 'and creates nothing');
select throws_ok(
  $$ select tasker.create_task('test', 'bill', '{"customer": "a", "places": "many"}') $$, 'TK422', 'the context gives limit "tenant" a bound that is no whole number from 1', 'create_task, too'
);
select is(pg_temp.create_bill('1e300'), 'created', 'a huge number is the maximum');
select from tasker.create_task('test', 'bill', '{"customer": "a"}');
select throws_ok(
  format($$ select tasker.add_steps(%L, '[{"name": "b", "limit": "a", "limit_bound": "$.n", "limit_bound_max": 2}]') $$, (select t.task_uuid from tasker.tasks as t limit 1)),
  'TK422', 'a step that is added has one place of one limit', 'a step that is added has no bound'
);

select * from finish();
rollback;
