begin;
select plan(5);

select tasker_test.freeze();
select is(tasker.instant_of('2026-12-24T18:00:00' || o), null, format('there is no offset of %s', o))
  from (values ('+99:00'), ('-99')) as c (o);
select tasker_test.create_waiting(
  'until', '[{"name": "a", "await": {"until": "$.at"}}]', '{}', '{"at": "2026-12-24T18:00:00+99:00"}'
);
select is(tasker.fire_due_timers(), 1, 'the wait ends at once');
select results_eq(
  $$ select s.state::text, s.last_error from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() $$,
  $$ values ('error', 'until: $.at of the context is not a time such as 2026-12-24T18:00:00Z') $$, 'and fails the step'
);
select is(
  (select array_agg(p.problem) from tasker.validate_task_template(
    '{"namespace": "test", "name": "t", "steps": [{"name": "a", "await": {"until": "2026-12-24T18:00:00+99:00"}}]}'
  ) as p),
  '{"\"2026-12-24T18:00:00+99:00\" is neither a time nor a path"}', 'a template with such a time is refused'
);

select * from finish();
rollback;
