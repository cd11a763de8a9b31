begin;
select plan(6);

select tasker_test.freeze('2040-01-01 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.create_waiting('order', '[
  {"name": "pay", "retry": {"max_attempts": 2, "base_seconds": 60, "backoff": "constant"}}, {"name": "pack"},
  {"name": "approve", "dependencies": ["pay", "pack"], "await": {"signal": "ok"}},
  {"name": "ship", "dependencies": ["approve"]}
]');
create function pg_temp.story()
  returns setof text
  language sql
as $$
  select format('%s %s %s', coalesce(p.step_name, '-'), p.kind, p.seconds) from tasker.get_task_story(tasker_test.the_task()) as p order by p.place;
$$;

select tasker_test.pass('10 seconds');
select results_eq('select * from pg_temp.story()', $$ values ('pay workers 10') $$, 'an open task ends now');
select tasker_test.claim('pay', 'pack');
select tasker_test.pass('5 seconds');
select tasker_test.finish('pack');
select tasker_test.fail_for_good('pay', false);
select tasker_test.pass('60 seconds');
select tasker.fire_due_timers();
select tasker_test.pass('2 seconds');
select tasker_test.claim('pay');
select tasker_test.pass('3 seconds');
select tasker_test.finish('pay');
select tasker_test.pass('1 hour');
select tasker_test.signal('ok');
select tasker_test.pass('4 seconds');
select tasker_test.claim('ship');
select tasker_test.pass('1 second');
select tasker_test.finish('ship');
select tasker_test.pass('1 day');
select tasker_test.orchestrate();

select results_eq(
  'select * from pg_temp.story()',
  $$ values ('pay workers 10'), ('pay running 5'), ('pay retry 60'), ('pay workers 2'), ('pay running 3'), ('approve signal 3600'),
      ('ship workers 4'), ('ship running 1') $$,
  'the parts follow the critical path; a step beside it is not shown'
);
select is(
  (select sum(p.seconds) from tasker.get_task_story(tasker_test.the_task()) as p),
  (select extract(epoch from t.completed_at - t.requested_at)::double precision from tasker.get_task(tasker_test.the_task()) as t),
  'they add up to the time of the task'
);
select is_empty(
  $$ select from (select p.began_at, lag(p.ended_at) over (order by p.place) as before from tasker.get_task_story(tasker_test.the_task()) as p) as x
      where x.before is not null and x.began_at is distinct from x.before $$,
  'without a gap'
);
select results_eq(
  $$ select p.kind, p.seconds from tasker.get_task_story(tasker_test.the_task(), 2) as p order by p.place $$,
  $$ values ('workers', 10::double precision), ('running', 5), ('unread', 3670) $$, 'the rest of a long story is one part'
);
select throws_ok(
  format('select from tasker.get_task_story(tasker_test.the_task(), %s)', u.no), 'TK422', format('a limit of %s is out of range', u.no),
  format('a limit of %s is refused', u.no)
)
  from unnest('{10001}'::integer[]) as u (no);

select * from finish();
rollback;
