-- A condition must be true or false for whatever results a worker sends: one that raises an error would
-- keep its parent from ever completing.
begin;
select plan(19);

select tasker_test.make_task();

prepare attempt (text) as
  select tasker.add_step_edge(tasker_test.the_step('left'), tasker_test.the_step('right'), p_condition => $1);

select throws_ok(
  format('execute attempt (%L)', c.condition),
  'TK422', format('the condition "%s" is not a jsonpath predicate', left(c.condition, 100)),
  c.what
)
  from (values
    ('',                                                  'an empty text'),
    ('amount > 100',                                      'no path'),
    ('$.amount >',                                        'half a predicate'),
    ('$.amount = 100',                                    'an operator of SQL'),
    ('$.a == "x''; drop schema tasker cascade; --',       'something hostile'),
    ('@.amount > 100',                                    'a current item where there is none'),
    ('$[last] == last',                                   'a last element where there is none'),
    ('$amount > 100',                                     'a variable, as a dot that was forgotten makes it'),
    ('$.a == 1 || $"b" == 2',                             'a variable that is quoted'),
    ('$.a like_regex "("',                                'a regular expression that is none'),
    ('$.a like_regex "a" flag "x"',                       'a flag that PostgreSQL does not know'),
    ('$.day.datetime() < "2020-01-01T00:00+00".datetime()', 'a comparison that fails for some dates'),
    ('$.a == "\u0000"',                                   'a character that no text holds'),
    ('$.a > 1e999999',                                    'a number that no type holds'),
    ('$.**{99999999999} == 1',                            'a depth that no integer holds'),
    ('$' || repeat('.a', 100000) || ' == 1',              'a path of a hundred thousand keys'),
    (repeat('!(', 100000) || '$.a == 1' || repeat(')', 100000), 'a hundred thousand negations')
  ) as c (condition, what);

select is(
  (
    select s.total_parents
      from tasker.workflow_steps as s
     where s.workflow_step_uuid = tasker_test.the_step('right')
  ),
  1,
  'no edge was added'
);
select lives_ok(
  format('execute attempt (%L)', '$."$amount" == "$x" && $.note like_regex "datetime"'),
  'what only looks like it, in keys and texts, is accepted'
);

select * from finish();
rollback;
