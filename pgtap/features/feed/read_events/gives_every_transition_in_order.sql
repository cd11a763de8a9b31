begin;
select plan(6);

select tasker_test.subscribe();
select tasker_test.register('two', 'a', 'b a');
select c.task_uuid as task from tasker.create_task('test', 'two', '{}', p_initiator => 'ann', p_reason => 'spring') as c \gset
select tasker_test.complete_step(tasker_test.step(:'task', 'a'));

select results_eq(
  $$ select r.kind, r.event, r.from_state, r.to_state, r.step_name, r.sort_key from tasker_test.read() as r where r.kind = 'task' $$,
  $$
  values
    ('task', 'Create', null, 'pending', null::text, 0),
    ('task', 'Start', 'pending', 'initializing', null, 1),
    ('task', 'ReadyStepsFound', 'initializing', 'enqueuing_steps', null, 2),
    ('task', 'StepsEnqueued', 'enqueuing_steps', 'steps_in_process', null, 3)
  $$,
  'read_events returns the creation and every transition of the task'
);
select bag_eq(
  $$ select l.step_no, l.sort_key, l.event from tasker.workflow_step_transition_log as l $$,
  $$ select tasker.step_no_of(r.workflow_step_uuid), r.sort_key, r.event from tasker_test.read() as r where r.kind = 'step' $$,
  'read_events returns every transition of the steps'
);
select is_empty(
  $$
  select
    from (select r.*, row_number() over () as no from tasker_test.read() as r) as a
    join (select r.*, row_number() over () as no from tasker_test.read() as r) as b
      on b.task_uuid = a.task_uuid
     and b.workflow_step_uuid is not distinct from a.workflow_step_uuid
   where a.no < b.no
     and (a.sort_key < b.sort_key) is not true
  $$,
  'the events of a task or step come in the order of sort_key'
);
select bag_eq(
  $$ select r.event_uuid from tasker_test.read() as r where r.kind = 'task' $$,
  format($$ select t.task_transition_uuid from tasker.task_transitions as t where t.task_uuid = %L $$, :'task'),
  'an event has the UUID of its transition in the history'
);
select results_eq(
  $$ select r.namespace, r.task_name, r.task_version, r.actor, r.reason, r.happened_at from tasker_test.read(1) as r $$,
  $$ values ('test', 'two', '0.1.0', 'ann', 'spring', '2026-03-01 12:00+00'::timestamptz) $$,
  'an event names its template, its actor, its reason and its time'
);
select c.task_uuid as later from tasker.create_task('test', 'two', '{"no": 2}', p_start_at => '2026-03-02 12:00+00') as c \gset
select from tasker.replay_events('all', '2026-03-01');
select ok(
  exists (select from tasker_test.read() as r where r.task_uuid = :'later' and r.event = 'Create'),
  'the creation of a task that starts later is returned at once'
);

select * from finish();
rollback;
