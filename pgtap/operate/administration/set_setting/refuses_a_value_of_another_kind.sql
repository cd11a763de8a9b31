begin;
select plan(30);

select throws_ok(
  format('select tasker.set_setting(%L, %L)', v.name, v.value),
  'TK422', format('setting "%s" cannot be "%s"', v.name, left(v.value, 100)),
  v.what
)
  from (values
    ('max_attempts', '',                          'an empty text is refused for an integer'),
    ('max_attempts', ' ',                         'a blank is refused'),
    ('max_attempts', '5 ',                        'a number with a blank is refused'),
    ('max_attempts', E'5\n',                      'a number with a line break is refused'),
    ('max_attempts', '+5',                        'a number with a plus sign is refused'),
    ('max_attempts', '5.0',                       'a number with a point is refused for an integer'),
    ('max_attempts', '5e1',                       'a number with an exponent is refused for an integer'),
    ('max_attempts', '0x5',                       'a hexadecimal number is refused'),
    ('max_attempts', '5_000',                     'a number with an underscore is refused'),
    ('max_attempts', '٣',                         'digits other than 0 to 9 are refused'),
    ('max_attempts', 'five',                      'a word is refused'),
    ('max_attempts', 'true',                      'a boolean is refused for an integer'),
    ('max_attempts', 'null',                      'the word null is refused'),
    ('max_attempts', '99999999999999999999',      'a number larger than any integer is refused'),
    ('max_attempts', repeat('9', 100000),         'a number of a hundred thousand digits is refused'),
    ('max_attempts', '5''; drop schema tasker;--', 'a hostile text is refused'),
    ('backoff_base', '',                          'an empty text is refused for a numeric'),
    ('backoff_base', '.5',                        'a number that begins with its point is refused'),
    ('backoff_base', '5.',                        'a number that ends with its point is refused'),
    ('backoff_base', '1e3',                       'a number with an exponent is refused for a numeric'),
    ('backoff_base', '1,5',                       'a number with a comma is refused'),
    ('backoff_base', '0.1234567',                 'a number with seven decimals is refused'),
    ('backoff_base', 'NaN',                       'NaN is refused'),
    ('backoff_base', 'Infinity',                  'Infinity is refused'),
    ('stale_tasks_to_dlq', '',                    'an empty text is refused for a boolean'),
    ('stale_tasks_to_dlq', 'on',                  'on is refused for a boolean'),
    ('stale_tasks_to_dlq', 't',                   't is refused for a boolean'),
    ('stale_tasks_to_dlq', 'TRUE',                'TRUE is refused for a boolean'),
    ('stale_tasks_to_dlq', '1',                   '1 is refused for a boolean'),
    ('notify',       'Always',                    'a choice in another case is refused')
  ) as v (name, value, what);

select * from finish();
rollback;
