-- A condition must be true or false for any result that a worker sends: if it raised an error, its parent could
-- never complete.
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
    ('',                                                  'an empty condition is refused'),
    ('amount > 100',                                      'a condition without a path is refused'),
    ('$.amount >',                                        'half a predicate is refused'),
    ('$.amount = 100',                                    'an operator of SQL is refused'),
    ('$.a == "x''; drop schema tasker cascade; --',       'a hostile condition is refused'),
    ('@.amount > 100',                                    'a current item outside of a filter is refused'),
    ('$[last] == last',                                   'a last element outside of an array is refused'),
    ('$amount > 100',                                     'a variable is refused, such as a path without its dot'),
    ('$.a == 1 || $"b" == 2',                             'a quoted variable is refused'),
    ('$.a like_regex "("',                                'an invalid regular expression is refused'),
    ('$.a like_regex "a" flag "x"',                       'a flag that PostgreSQL does not know is refused'),
    ('$.day.datetime() < "2020-01-01T00:00+00".datetime()', 'a comparison that fails for some dates is refused'),
    ('$.a == "\u0000"',                                   'a character that text cannot contain is refused'),
    ('$.a > 1e999999',                                    'a number beyond the range of numeric is refused'),
    ('$.**{99999999999} == 1',                            'a depth beyond the range of integer is refused'),
    ('$' || repeat('.a', 100000) || ' == 1',              'a path of a hundred thousand keys is refused'),
    (repeat('!(', 100000) || '$.a == 1' || repeat(')', 100000), 'a hundred thousand negations are refused')
  ) as c (condition, what);

select is(
  (
    select s.total_parents
      from tasker.workflow_steps as s
     where s.workflow_step_uuid = tasker_test.the_step('right')
  ),
  1,
  'no edge is added'
);
select lives_ok(
  format('execute attempt (%L)', '$."$amount" == "$x" && $.note like_regex "datetime"'),
  'the same signs in keys and strings are accepted'
);

select * from finish();
rollback;
