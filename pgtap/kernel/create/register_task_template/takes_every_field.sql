begin;
select plan(3);

select tasker_test.take_turn();

select lives_ok(
  $$
  select tasker.register_task_template('{
    "namespace": "shipping", "name": "order", "version": "2.0.0-rc.1", "description": "An order.",
    "identity_strategy": "caller_provided", "on_failure": "halt",
    "lifecycle": {
      "max_waiting_for_dependencies_minutes": 10, "max_waiting_for_retry_minutes": 20, "max_steps_in_process_minutes": 30
    },
    "steps": [
      {"name": "a", "description": "First."},
      {
        "name": "b", "handler": "h", "dependencies": ["a"], "join": "settled", "timeout_seconds": 90, "priority": -3,
        "retry": {"retryable": false, "max_attempts": 7, "backoff": "exponential", "base_seconds": 0.5, "multiplier": 3, "max_seconds": 300},
        "initialization": {"region": null, "deep": {"a": [null, 1]}}
      },
      {"name": "c", "retry": {"backoff": "constant", "base_seconds": 5}}
    ]
  }')
  $$,
  'a template with every field is accepted'
);
select results_eq(
  $$
  select k.version, k.description, k.identity_strategy, k.on_failure,
         k.max_waiting_for_dependencies_minutes, k.max_waiting_for_retry_minutes, k.max_steps_in_process_minutes
    from tasker.named_tasks as k
   where k.name = 'order'
  $$,
  $$ values ('2.0.0-rc.1', 'An order.', 'caller_provided', 'halt', 10, 20, 30) $$,
  'the template has its fields'
);
select results_eq(
  $$
  select s.step_name, s.retryable, s.max_attempts, s.backoff_base_seconds::numeric, s.backoff_multiplier::numeric,
         s.max_backoff_seconds::integer, s.timeout_seconds, s.priority, s.join_mode::text, s.initialization
    from tasker.named_tasks_named_steps as s
    join tasker.named_tasks as k on k.named_task_uuid = s.named_task_uuid
   where k.name = 'order'
   order by s.step_no
  $$,
  $$
  values
    ('a', true, 3, null::numeric, null::numeric, null::integer, null::integer, 0, 'all', '{}'::jsonb),
    ('b', false, 7, 0.5, 3, 300, 90, -3, 'settled', '{"region": null, "deep": {"a": [null, 1]}}'),
    ('c', true, 3, 5, 1, null, null, 0, 'all', '{}')
  $$,
  'the steps have their fields, and defaults for nulls'
);

select * from finish();
rollback;
