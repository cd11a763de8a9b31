begin;
select plan(6);

create function pg_temp.problems_of(p_steps jsonb)
  returns text[]
  language sql
as $$
  select array_agg(p.path || ': ' || p.problem)
    from tasker.validate_task_template(jsonb_build_object('namespace', 'n', 'name', 't', 'steps', p_steps)) as p;
$$;

select is(
  pg_temp.problems_of('[{"name": "a"}, {"name": "b"}, {"name": "a"}]'),
  '{"steps[2].name: \"a\" is the name of steps[0] already"}', 'a name that two steps have is refused'
);
select is(pg_temp.problems_of('[{"name": "a"}, {"name": "A"}]'), null, 'names that differ in capitals are different');
select is(
  pg_temp.problems_of('[{"name": "a", "dependencies": ["zzz"]}]'),
  '{"steps[0].dependencies[0]: there is no step \"zzz\""}', 'an unknown dependency is refused'
);
select is(
  pg_temp.problems_of('[{"name": "a", "dependencies": ["a"]}]'),
  '{"steps[0].dependencies[0]: step \"a\" depends on itself"}', 'a step that depends on itself is refused'
);
select is(
  pg_temp.problems_of('[{"name": "a"}, {"name": "b", "dependencies": ["a", {"step": "a"}]}]'),
  '{"steps[1].dependencies[1]: \"a\" is named 2 times"}', 'a dependency that is named twice is refused'
);
select is(
  pg_temp.problems_of('[{"name": "b", "dependencies": ["a"]}, {"name": "a"}]'), null, 'a later step may be a dependency'
);

select * from finish();
rollback;
