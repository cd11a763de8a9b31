begin;
select plan(10);

select tasker_test.freeze('2050-01-20 12:00Z');
select tasker.ensure_partitions();
select tasker_test.allow_starts();
select tasker_test.register('forked', 'left', 'right', 'join left right');

create function pg_temp.start(p_no integer, p_handlers text[], p_limit integer default 100, p_deferred boolean default null, p_start_at timestamptz default null)
  returns text[]
  language sql
as $$
  select array_agg(s.name order by s.name)
    from tasker.start_task(
      'test', 'forked', '00000000-0000-0000-0000-0000000000c1', jsonb_build_object('no', p_no), p_handlers, p_limit, p_deferred => p_deferred, p_start_at => p_start_at
    ) as s
$$;

select is(pg_temp.start(1, '{left}'), '{left}', 'the worker gets steps of its handlers only');
select results_eq(
  $$ select c.name from tasker.claim_steps('{test}', gen_random_uuid(), 10) as c $$, array['right'], 'other workers get the other steps'
);
select is(pg_temp.start(2, null, 1), '{left}', 'the worker gets at most as many steps as its limit');
select is(pg_temp.start(3, '{}'), '{null}', 'a worker without handlers gets no step');
select is(pg_temp.start(4, null, p_deferred => true), '{null}', 'a deferred start hands out no step');
select is(pg_temp.start(5, null, p_start_at => '2050-01-20 13:00Z'), '{null}', 'a later start hands out no step');
select tasker.pause_namespace('test', 'ann');
select is(pg_temp.start(6, null), '{null}', 'a paused namespace hands out no step');
select is((select count(*) from tasker.tasks as t join tasker.named_tasks as k using (named_task_uuid) where k.name = 'forked' and t.requested_at = tasker.clock()), 6::bigint, 'each call creates its task');
select results_eq(
  $$ select s.created, s.step_uuid from tasker.start_task('test', 'forked', '00000000-0000-0000-0000-0000000000c1', '{"no": 1}') as s $$,
  $$ values (false, null::uuid) $$,
  'a repeat hands out no step'
);
select is_empty(
  $$ select tasker_test.violations(t.task_uuid) from tasker.tasks as t where t.requested_at = tasker.clock() $$, 'every invariant holds'
);

select * from finish();
rollback;
