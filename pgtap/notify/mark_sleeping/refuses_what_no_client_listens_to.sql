begin;
select plan(14);

select throws_ok(
  format('select tasker.mark_sleeping(%L, %L, %L)', v.sleeper, v.channels, v.seconds),
  'TK422', 'a client cannot be marked as sleeping with these arguments', v.what
)
  from (values
    (null,                                   '{tasker_task_events}',                   30,  'no sleeper'),
    ('00000000-0000-4000-8000-000000000001', null,                                     30,  'no channels'),
    ('00000000-0000-4000-8000-000000000001', '{}',                                     30,  'an empty list'),
    ('00000000-0000-4000-8000-000000000001', '{null}',                                 30,  'null for a channel'),
    ('00000000-0000-4000-8000-000000000001', '{news}',                                 30,  'somebody else''s channel'),
    ('00000000-0000-4000-8000-000000000001', '{tasker_steps_ready}',                   30,  'steps of no namespace'),
    ('00000000-0000-4000-8000-000000000001', '{tasker_steps_ready.Tap}',               30,  'a name that no namespace has'),
    ('00000000-0000-4000-8000-000000000001', '{tasker_task_events.tap}',               30,  'a task that is no UUID'),
    ('00000000-0000-4000-8000-000000000001', E'{"tasker_task_events\n"}',              30,  'a line break'),
    ('00000000-0000-4000-8000-000000000001', '{tasker_task_events}',                   0,   'no time'),
    ('00000000-0000-4000-8000-000000000001', '{tasker_task_events}',                   301, 'more than five minutes')
  ) as v (sleeper, channels, seconds, what);
select throws_ok(
  format(
    'select tasker.mark_sleeping(%L, %L)', '00000000-0000-4000-8000-000000000001',
    (select array_agg('tasker_steps_ready.n' || i) from generate_series(1, 1001) as i)
  ),
  'TK422', 'a client cannot be marked as sleeping with these arguments', 'more than a thousand channels'
);
select is_empty($$ select from tasker.sleepers as z where z.sleeper_uuid = '00000000-0000-4000-8000-000000000001' $$, 'nothing is marked');
select lives_ok(
  $$ select tasker.mark_sleeping('00000000-0000-4000-8000-000000000001', array['tasker_task_events.' || gen_random_uuid()]) $$,
  'one task''s changes'
);

select * from finish();
rollback;
