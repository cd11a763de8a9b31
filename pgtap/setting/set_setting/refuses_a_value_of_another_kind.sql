begin;
select plan(30);

select throws_ok(
  format('select tasker.set_setting(%L, %L)', v.name, v.value),
  'TK422', format('setting "%s" cannot be "%s"', v.name, left(v.value, 100)),
  v.what
)
  from (values
    ('max_attempts', '',                          'an empty text is no whole number'),
    ('max_attempts', ' ',                         'nor is a blank'),
    ('max_attempts', '5 ',                        'nor one with a blank'),
    ('max_attempts', E'5\n',                      'nor one with a line'),
    ('max_attempts', '+5',                        'nor one with a plus'),
    ('max_attempts', '5.0',                       'nor one with a point'),
    ('max_attempts', '5e1',                       'nor one with an exponent'),
    ('max_attempts', '0x5',                       'nor one of base sixteen'),
    ('max_attempts', '5_000',                     'nor one with an underscore'),
    ('max_attempts', '٣',                         'nor one in digits other than 0 to 9'),
    ('max_attempts', 'five',                      'nor a word'),
    ('max_attempts', 'true',                      'nor a switch'),
    ('max_attempts', 'null',                      'nor the word null'),
    ('max_attempts', '99999999999999999999',      'nor one that no integer holds'),
    ('max_attempts', repeat('9', 100000),         'nor one of a hundred thousand digits'),
    ('max_attempts', '5''; drop schema tasker;--', 'nor something hostile'),
    ('backoff_base', '',                          'an empty text is no number'),
    ('backoff_base', '.5',                        'nor one that begins with its point'),
    ('backoff_base', '5.',                        'nor one that ends with it'),
    ('backoff_base', '1e3',                       'nor one with an exponent'),
    ('backoff_base', '1,5',                       'nor one with a comma'),
    ('backoff_base', '0.1234567',                 'nor one with seven decimals'),
    ('backoff_base', 'NaN',                       'nor what is not a number'),
    ('backoff_base', 'Infinity',                  'nor what has no end'),
    ('stale_tasks_to_dlq', '',                    'an empty text is no switch'),
    ('stale_tasks_to_dlq', 'on',                  'nor is on'),
    ('stale_tasks_to_dlq', 't',                   'nor t'),
    ('stale_tasks_to_dlq', 'TRUE',                'nor TRUE'),
    ('stale_tasks_to_dlq', '1',                   'nor 1'),
    ('notify',       'Always',                    'a choice is spelt as it is')
  ) as v (name, value, what);

select * from finish();
rollback;
