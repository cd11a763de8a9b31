begin;
select plan(15);

select tasker_test.take_turn();
create function pg_temp.problem(p_condition text) returns text language sql as $$ select tasker.condition_error(p_condition) $$;
select is(pg_temp.problem('exists($[*] ? (exists($[*] ? (@ == -1))))'), 'A path in a filter begins with $; in a filter paths begin with @.', 'a path that begins with $ in a filter is refused');
select is(pg_temp.problem('exists($[*] ? (exists(@[*] ? (@ == -1))))'), 'It has a filter within a filter.', 'a filter within a filter is refused');
select is(pg_temp.problem('$.a == $.b'), 'It compares two paths; one side of a comparison must be a constant.', 'a comparison of two paths is refused');
select is(pg_temp.problem('$[*] < $[*]'), 'It compares two paths; one side of a comparison must be a constant.', 'a comparison of two paths by another operator is refused');
select is(pg_temp.problem('exists($[*] ? (@.a >= @.b))'), 'It compares two paths; one side of a comparison must be a constant.', 'a comparison of two paths in a filter is refused');
select is(pg_temp.problem('$.a == 1 && -$.b != $.c'), 'It compares two paths; one side of a comparison must be a constant.', 'a comparison of two paths beside a valid one is refused');
select is(pg_temp.problem('$.a == "' || repeat('x', 4000) || '"'), 'It is longer than 4,000 characters.', 'a condition of more than 4,000 characters is refused');
select is(pg_temp.problem(repeat('$.a == 1 || ', 50) || '$.b == 2'), 'It has more than 40 paths.', 'a condition of more than 40 paths is refused');
select is(pg_temp.problem(c), null, format('the condition %s is accepted', c))
  from unnest(array[
    '$.amount > 100', '$.a == "$.b == $.c ? ("', 'exists($.lines[*] ? (@.price > 10 && @.name like_regex "^x"))',
    '$.a == 1 && $.b == 2 || !($.c < 3)', 'exists($[*] ? (@.a == 1)) && exists($[*] ? (@.b == 2))', '$.lines.size() > 3'
  ]) as u (c);

select tasker_test.create_task();
select throws_ok(
  $$ select tasker.add_step_edge(tasker_test.the_step('top'), tasker_test.the_step('bottom'), 'p', 'exists($[*] ? (exists($[*] ? (@ == -1))))') $$,
  'TK422', 'the condition "exists($[*] ? (exists($[*] ? (@ == -1))))" is not a jsonpath predicate', 'add_step_edge refuses such a condition'
);

select * from finish();
rollback;
