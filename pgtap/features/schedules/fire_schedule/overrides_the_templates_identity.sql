begin;
select plan(3);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker.register_task_template(format('{"namespace": "test", "name": "%1$s", "identity_strategy": "%1$s", "steps": [{"name": "a"}]}', s)::jsonb)
  from unnest('{strict,caller_provided,always_unique}'::text[]) as s;
select tasker.set_schedule('test', s, s, '* * * * *') from unnest('{strict,caller_provided,always_unique}'::text[]) as s;
select tasker_test.tick('1 minute');
select tasker_test.tick('1 minute');

select results_eq(
  'select k.schedule, k.outcome, count(distinct k.task_uuid) from tasker_test.ticks as k group by 1, 2 order by 1',
  $$ values ('always_unique', 'made', 2::bigint), ('caller_provided', 'made', 2::bigint), ('strict', 'made', 2::bigint) $$, 'each tick has a task'
);
select is((select count(*) from tasker.task_identities), 6::bigint, 'each task has an identity');
select is(
  (select c.created from tasker.create_task('test', 'strict', '{}') as c), true, 'the identity differs from that of a request'
);

select * from finish();
rollback;
