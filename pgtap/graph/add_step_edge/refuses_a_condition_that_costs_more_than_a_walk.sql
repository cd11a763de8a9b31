begin;
select plan(15);

select tasker_test.take_turn();
create function pg_temp.problem(p_condition text) returns text language sql as $$ select tasker.condition_error(p_condition) $$;
select is(pg_temp.problem('exists($[*] ? (exists($[*] ? (@ == -1))))'), 'A path in a filter begins with $; in a filter paths begin with @.', 'the whole in a filter');
select is(pg_temp.problem('exists($[*] ? (exists(@[*] ? (@ == -1))))'), 'It has a filter within a filter.', 'a filter in a filter');
select is(pg_temp.problem('$.a == $.b'), 'It compares two paths; one side of a comparison must be a constant.', 'two paths');
select is(pg_temp.problem('$[*] < $[*]'), 'It compares two paths; one side of a comparison must be a constant.', 'however they are compared');
select is(pg_temp.problem('exists($[*] ? (@.a >= @.b))'), 'It compares two paths; one side of a comparison must be a constant.', 'in a filter, too');
select is(pg_temp.problem('$.a == 1 && -$.b != $.c'), 'It compares two paths; one side of a comparison must be a constant.', 'or beside a comparison that is right');
select is(pg_temp.problem('$.a == "' || repeat('x', 4000) || '"'), 'It is longer than 4,000 characters.', 'a long text');
select is(pg_temp.problem(repeat('$.a == 1 || ', 50) || '$.b == 2'), 'It has more than 40 paths.', 'many paths');
select is(pg_temp.problem(c), null, 'taken: ' || c)
  from unnest(array[
    '$.amount > 100', '$.a == "$.b == $.c ? ("', 'exists($.lines[*] ? (@.price > 10 && @.name like_regex "^x"))',
    '$.a == 1 && $.b == 2 || !($.c < 3)', 'exists($[*] ? (@.a == 1)) && exists($[*] ? (@.b == 2))', '$.lines.size() > 3'
  ]) as u (c);

select tasker_test.create_task();
select throws_ok(
  $$ select tasker.add_step_edge(tasker_test.the_step('top'), tasker_test.the_step('bottom'), 'p', 'exists($[*] ? (exists($[*] ? (@ == -1))))') $$,
  'TK422', 'the condition "exists($[*] ? (exists($[*] ? (@ == -1))))" is not a jsonpath predicate', 'an edge with one is refused'
);

select * from finish();
rollback;
