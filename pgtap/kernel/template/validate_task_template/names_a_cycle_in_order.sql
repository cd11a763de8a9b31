begin;
select plan(7);

create function pg_temp.problem_of(p_steps jsonb)
  returns text
  language sql
as $$
  select string_agg(p.path || ': ' || p.problem, '; ')
    from tasker.validate_task_template(jsonb_build_object('namespace', 'n', 'name', 't', 'steps', p_steps)) as p;
$$;

select is(
  pg_temp.problem_of('[{"name": "a", "dependencies": ["c"]}, {"name": "b", "dependencies": ["a"]}, {"name": "c", "dependencies": ["b"]}]'),
  'steps[0].dependencies: the steps wait for one another in a cycle: a -> b -> c -> a', 'the cycle is named in the order of its dependencies'
);
select is(
  pg_temp.problem_of('[{"name": "a", "dependencies": ["b"]}, {"name": "b", "dependencies": ["a"]}]'),
  'steps[0].dependencies: the steps wait for one another in a cycle: a -> b -> a', 'the shortest cycle is named'
);
select is(
  pg_temp.problem_of('[{"name": "root"}, {"name": "x", "dependencies": ["root", "z"]}, {"name": "y", "dependencies": ["x"]}, {"name": "z", "dependencies": ["y"]}, {"name": "leaf", "dependencies": ["z"]}]'),
  'steps[1].dependencies: the steps wait for one another in a cycle: x -> y -> z -> x', 'a cycle behind a root is named without the root and the leaf'
);
select is(
  pg_temp.problem_of('[{"name": "a"}, {"name": "b", "dependencies": ["a"]}, {"name": "c", "dependencies": ["a", "b"]}]'),
  null, 'two paths to one step are not a cycle'
);
select is(
  pg_temp.problem_of((
    select jsonb_agg(jsonb_build_object('name', 's' || i, 'dependencies', jsonb_build_array('s' || (i + 58) % 60)) order by i)
      from generate_series(0, 59) as i
  )),
  'steps[0].dependencies: the steps wait for one another in a cycle: '
    || (select string_agg('s' || i, ' -> ') from generate_series(0, 58, 2) as i) || ' -> s0',
  'one of two cycles is named'
);
select matches(
  pg_temp.problem_of((
    select jsonb_agg(jsonb_build_object('name', 's' || i, 'dependencies', jsonb_build_array('s' || (i + 1) % 3000)) order by i)
      from generate_series(0, 2999) as i
  )),
  's0 -> s2999 -> s2998 .* -> s2951 -> \.\.\. \(3000 steps\)$', 'a long cycle is cut after fifty steps'
);
-- Complete layers: 60,000 edges, and more paths than atoms.
prepare wide as
  select pg_temp.problem_of((
    select jsonb_agg(jsonb_build_object('name', 's' || i, 'dependencies', (
             select coalesce(jsonb_agg('s' || j), '[]') from generate_series((i / 20 - 1) * 20, (i / 20) * 20 - 1) as j where i >= 20
           )) order by i)
      from generate_series(0, 2999) as i
  ));
-- Path by path it would never end; a second is nine where others use the processors.
set local statement_timeout = '2min';
select results_eq('wide', 'values (null::text)', 'a wide graph is checked in time');

select * from finish();
rollback;
