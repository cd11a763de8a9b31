begin;
select plan(3);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "test", "name": "order", "version": "1.0.0", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
select from tasker.create_tasks('test', 'order', array['{"amount": 1}', '{}', '{"amount": "x"}']::jsonb[]);
select from tasker.set_schedule('test', 'nightly', 'order', p_every_seconds => 60);
select from tasker.set_schedule('test', 'pinned', 'order', p_every_seconds => 60, p_task_version => '1.0.0');
create function pg_temp.found(p_more jsonb) returns setof text language sql as $$
  select concat_ws(' ', f.status, f.version, f.tasks, f.finding)
    from tasker.check_template_change('{"namespace": "test", "name": "order", "version": "2.0.0", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}' || p_more) as f
   where f.kind = 'input';
$$;
select is_empty($$ select pg_temp.found('{}') $$, 'without a schema there is nothing to say');
select is_empty($$ select pg_temp.found('{"input_schema": {"properties": {"amount": {}}}}') $$, 'all fit');
select results_eq(
  $$ select pg_temp.found('{"input_schema": {"required": ["amount"], "properties": {"amount": {"type": "integer"}}}}') $$,
  $$ values
    ('warn 0 the context of schedule "nightly" does not fit: context.amount is missing'),
    ('warn 1.0.0 2 a fork of 2 open tasks of version "1.0.0" to it is refused: context.amount is missing') $$,
  'schedules of the newest version, and open tasks of others'
);

select * from finish();
rollback;
