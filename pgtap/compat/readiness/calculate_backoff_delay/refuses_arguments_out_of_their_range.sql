begin;
select plan(9);

select throws_ok(
  format('select tasker.calculate_backoff_delay(%s)', a.arguments),
  'TK422', 'a backoff cannot be computed from these arguments',
  a.what
)
  from (values
    ('null',                 'no number of attempts'),
    ('-1',                   'a negative one'),
    ('1, 0',                 'a base delay of 0'),
    ('1, -5',                'a negative one'),
    ('1, ''NaN''',           'one that is not a number'),
    ('1, ''Infinity''',      'one without end'),
    ('1, 1, 0.99',           'a multiplier below 1'),
    ('1, 1, ''Infinity''',   'one without end'),
    ('1, 1, 2, -1',          'a negative limit')
  ) as a (arguments, what);

select * from finish();
rollback;
