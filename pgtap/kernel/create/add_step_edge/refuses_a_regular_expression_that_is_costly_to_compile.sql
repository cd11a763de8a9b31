begin;
select plan(30);

set local statement_timeout = '2s';
select tasker_test.take_turn();
create function pg_temp.problem(p_pattern text) returns text language sql as $$
  select tasker.condition_error('$.a like_regex ' || to_json(p_pattern))
$$;
select matches(pg_temp.problem(p), '^It has a regular expression that is too costly', format('%s is refused', left(p, 100)))
  from unnest(array[
    '(((a?){30}){30})x', '(a?){200}', 'a{0,255}', 'a{2000}', '((a{10}){10}){10}', repeat('(', 11) || 'a' || repeat(')', 11),
    repeat('(^|a)', 9), E'[!-\\uFFFF]', '[[.hyphen.]]', '[]a[](a?){200}]'
  ]) as u (p);
select matches(pg_temp.problem(p), '^It has a regular expression that repeats an anchor', format('%s is refused', left(p, 100)))
  from unnest(array[repeat(E'(\\y|a)*', 25), '(^|$)*', E'((a|\\m)b){3}']) as u (p);
select matches(pg_temp.problem(p), '^It has a regular expression with a group that begins with a quantifier', format('%s is refused', left(p, 100)))
  from unnest(array['(?=a)b', '(?!a)b', '(?<=a)b', '(?i)a', '***:a']) as u (p);
select matches(pg_temp.problem(p), '^It has a regular expression with a back reference', format('%s is refused', left(p, 100)))
  from unnest(array[E'(a*)\\1', E'\\c[(a?){200}]']) as u (p);
select matches(pg_temp.problem(repeat('a', 201)), '^It has a regular expression of more than 200 characters', 'a long one is refused');

-- The grammar of jsonpath has other ways to write the same.
select isnt(tasker.condition_error(c), null, format('%s is refused', c))
  from unnest(array[
    '$.a LIKE_REGEX "(((a?){30}){30})x"', E'$.a lik\\u0065_regex "(((a?){30}){30})x"', '$.a like_regex/* " */"(((a?){30}){30})x"',
    E'$.a like_regex "(((a?)\\u007b30}){30})x"', '$.b == "like_regex " && $.a like_regex "(((a?){30}){30})x"'
  ]) as u (c);
select is(tasker.condition_error('$.a like_regex "x" || $.a like_regex "y" || $.a like_regex "z"'), 'It has more than 2 regular expressions.', 'three are refused');

select is(pg_temp.problem(p), null, format('%s is accepted', p))
  from unnest(array[
    '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
  ]) as u (p);
select is(
  (select count(pg_temp.problem(p)) from unnest(array[
    '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$', E'^[^@\\s]+@[^@]+\\.[a-z]{2,10}$', '^(?:card|iban|sepa)+$', E'\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}',
    '[[:alpha:]_]+', '[à-ÿ]*', E'a\\{300}', '^.{1,200}$', '{', 'a|b||c'
  ]) as u (p)),
  0::bigint, 'so are other common ones'
);

select tasker_test.create_task();
select throws_ok(
  $$ select tasker.add_step_edge(tasker_test.the_step('top'), tasker_test.the_step('bottom'), 'p', '$.x like_regex "(((a?){30}){30})x"') $$,
  'TK422', 'the condition "$.x like_regex "(((a?){30}){30})x"" is not a jsonpath predicate', 'add_step_edge refuses such a condition'
);

select * from finish();
rollback;
