begin;
select plan(7);

select tasker_test.take_turn();
select tasklib.register_task('tap.one');

select throws_ok(
  format('select tasklib.mark_sleeping(%L, %L, %L)', v.worker, v.names, v.seconds),
  'TK422', 'a worker cannot be marked as sleeping with these arguments', v.what
)
  from (values
    (null, '{tap.one}', 30,  'a null worker is refused'),
    ('w1', null,        30,  'a null list of names is refused'),
    ('w1', '{}',        30,  'an empty list of names is refused'),
    ('w1', '{tap.one}', 0,   'a time of 0 seconds is refused'),
    ('w1', '{tap.one}', 301, 'a time of more than five minutes is refused')
  ) as v (worker, names, seconds, what);
select throws_ok($$ select tasklib.mark_sleeping('w1', '{tap.none}') $$, 'TK404', 'no task is registered as "tap.none"', 'a name that is not registered is refused');
select is_empty($$ select from tasklib.sleepers as z where z.worker_id = 'w1' $$, 'no mark is written');

select * from finish();
rollback;
