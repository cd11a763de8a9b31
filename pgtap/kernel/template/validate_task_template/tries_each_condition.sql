begin;
select plan(20);

create function pg_temp.problem_of(p_condition text)
  returns text
  language sql
as $$
  select p.problem || ' (' || p.hint || ')'
    from tasker.validate_task_template(jsonb_build_object(
      'namespace', 'n', 'name', 't',
      'steps', jsonb_build_array('{"name": "a"}'::jsonb, jsonb_build_object('name', 'b', 'dependencies', jsonb_build_array(
        jsonb_build_object('step', 'a', 'when', p_condition)
      )))
    )) as p;
$$;

select is(pg_temp.problem_of('$.ok == true'), null, 'a comparison');
select is(pg_temp.problem_of('exists($.items[*] ? (@.price > 10))'), null, 'a search');
select is(pg_temp.problem_of('$.ok'), null, 'a field that is true or false');
select is(pg_temp.problem_of('$.currency == "US$"'), null, 'a dollar in a text is no variable');
select is(pg_temp.problem_of('$."$x".datetime == 1'), null, 'nor is one in a key, nor a key that is called datetime');
select matches(pg_temp.problem_of('$.ok =='), '^"\$\.ok ==" is not a jsonpath predicate \(syntax error', 'half of one');
select matches(pg_temp.problem_of('$.a == $limit'), 'It names a variable; conditions have none\.', 'a variable');
select matches(pg_temp.problem_of('$.a == 1 && $.b == $limit'), 'It names a variable', 'one that is looked at only if the first half is true');
select matches(pg_temp.problem_of('$.at.datetime() < "2026-01-01".datetime()'), 'It uses datetime\(\)', 'times, which fail for other times');
select is(pg_temp.problem_of('$.**{0 to 5}.ok == true'), null, 'a look at a few depths');
select is(pg_temp.problem_of('$.**{2}.ok == true'), null, 'a look at one depth');
select matches(pg_temp.problem_of(c), 'It uses \.\*\* without a bound, such as \.\*\*\{0 to 5\}', c)
  from unnest(array['$.**.ok == true', '$.**{1 to last}.ok == true', '$.**{last} == true']) as u (c);
select matches(pg_temp.problem_of('$.**.** == 1'), 'It uses \.\*\* twice', 'two of them, which multiply');
select matches(pg_temp.problem_of('$.a like_regex "("'), 'is not a jsonpath predicate', 'a broken regular expression');
select matches(pg_temp.problem_of('@.a == 1'), 'is not a jsonpath predicate', 'the item of a filter that is not there');
select matches(pg_temp.problem_of('$.a == "\u0000"'), 'is not a jsonpath predicate', 'the character that PostgreSQL has not');
select is(pg_temp.problem_of(''), 'must have 1 to 4000 characters (A jsonpath predicate on that step''s results; any success by default.)', 'nothing');
select matches(pg_temp.problem_of(repeat('(', 5000) || '$.a == 1' || repeat(')', 5000)), '^must have 1 to 4000 characters', 'one without end');

select * from finish();
rollback;
