begin;
select plan(14);

select throws_ok(
  format('select tasker.mark_sleeping(%L, %L, %L)', v.sleeper, v.channels, v.seconds),
  'TK422', 'a client cannot be marked as sleeping with these arguments', v.what
)
  from (values
    (null,                                   '{tasker_task_events}',                   30,  'a null client is refused'),
    ('00000000-0000-4000-8000-000000000001', null,                                     30,  'null channels are refused'),
    ('00000000-0000-4000-8000-000000000001', '{}',                                     30,  'an empty list is refused'),
    ('00000000-0000-4000-8000-000000000001', '{null}',                                 30,  'a null channel is refused'),
    ('00000000-0000-4000-8000-000000000001', '{news}',                                 30,  'an unknown channel is refused'),
    ('00000000-0000-4000-8000-000000000001', '{tasker_steps_ready}',                   30,  'steps without a namespace are refused'),
    ('00000000-0000-4000-8000-000000000001', '{tasker_steps_ready.Tap}',               30,  'a malformed namespace is refused'),
    ('00000000-0000-4000-8000-000000000001', '{tasker_task_events.tap}',               30,  'a task that is not a UUID is refused'),
    ('00000000-0000-4000-8000-000000000001', E'{"tasker_task_events\n"}',              30,  'a line break is refused'),
    ('00000000-0000-4000-8000-000000000001', '{tasker_task_events}',                   0,   'a time of 0 seconds is refused'),
    ('00000000-0000-4000-8000-000000000001', '{tasker_task_events}',                   301, 'a time of more than five minutes is refused')
  ) as v (sleeper, channels, seconds, what);
select throws_ok(
  format(
    'select tasker.mark_sleeping(%L, %L)', '00000000-0000-4000-8000-000000000001',
    (select array_agg('tasker_steps_ready.n' || i) from generate_series(1, 1001) as i)
  ),
  'TK422', 'a client cannot be marked as sleeping with these arguments', 'more than a thousand channels are refused'
);
select is_empty($$ select from tasker.sleepers as z where z.sleeper_uuid = '00000000-0000-4000-8000-000000000001' $$, 'no refused call marks a client');
select lives_ok(
  $$ select tasker.mark_sleeping('00000000-0000-4000-8000-000000000001', array['tasker_task_events.' || gen_random_uuid()]) $$,
  'the channel of one task is accepted'
);

select * from finish();
rollback;
