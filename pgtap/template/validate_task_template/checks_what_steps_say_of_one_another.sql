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
  '{"steps[2].name: \"a\" is the name of steps[0] already"}', 'a name twice'
);
select is(pg_temp.problems_of('[{"name": "a"}, {"name": "A"}]'), null, 'capitals make another name');
select is(
  pg_temp.problems_of('[{"name": "a", "dependencies": ["zzz"]}]'),
  '{"steps[0].dependencies[0]: there is no step \"zzz\""}', 'an unknown dependency'
);
select is(
  pg_temp.problems_of('[{"name": "a", "dependencies": ["a"]}]'),
  '{"steps[0].dependencies[0]: step \"a\" depends on itself"}', 'itself'
);
select is(
  pg_temp.problems_of('[{"name": "a"}, {"name": "b", "dependencies": ["a", {"step": "a"}]}]'),
  '{"steps[1].dependencies[1]: \"a\" is named 2 times"}', 'the same dependency twice, in whatever form'
);
select is(
  pg_temp.problems_of('[{"name": "b", "dependencies": ["a"]}, {"name": "a"}]'), null, 'a later step may be a dependency'
);

select * from finish();
rollback;
