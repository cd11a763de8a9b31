begin;
select plan(10);

select throws_ok($$ select tasklib.next_tick('* * * *') $$, 'TK422', '"* * * *" is no cron expression: it does not have five fields', 'four fields are refused');
select throws_ok($$ select tasklib.next_tick('60 * * * *') $$, 'TK422', '"60 * * * *" is no cron expression: its minute cannot be "60"', 'minute 60 is refused');
select throws_ok($$ select tasklib.next_tick('* * * * mo') $$, 'TK422', '"* * * * mo" is no cron expression: its weekday cannot be "mo"', 'half of a weekday''s name is refused');
select throws_ok($$ select tasklib.next_tick('* 5-3 * * *') $$, 'TK422', '"* 5-3 * * *" is no cron expression: its hour cannot be "5-3"', 'a range that goes backwards is refused');
select throws_ok($$ select tasklib.next_tick('*/0 * * * *') $$, 'TK422', '"*/0 * * * *" is no cron expression: its minute cannot be "*/0"', 'a step of 0 is refused');
select throws_ok($$ select tasklib.next_tick('1,,2 * * * *') $$, 'TK422', '"1,,2 * * * *" is no cron expression: its minute cannot be ""', 'an empty element of a list is refused');
select throws_like($$ select tasklib.next_tick('0 0 30 2 *') $$, '"0 0 30 2 *" never ticks after %', '30 February is refused');
select throws_ok($$ select tasklib.next_tick(null) $$, 'TK422', '"" is no cron expression: it does not have five fields', 'a null expression is refused');
select throws_ok($$ select tasklib.next_tick('* * * * *', 'Berlin') $$, 'TK422', '"Berlin" is no time zone', 'an unknown time zone is refused');
select throws_ok($$ select tasklib.next_tick('* * * * *', 'UTC', 'infinity') $$, 'TK422', 'there is no tick after infinity', 'infinity is refused');

select * from finish();
rollback;
