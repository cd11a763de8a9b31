create or replace view tasker.event_effects as
select
  ''::text as action,
  ''::text as task_name,
  ''::text as version,
  ''::text as outcome,
  null::text as identity_key,
  null::uuid as task_uuid,
  null::jsonb as context,
  null::text as problem
where false;

comment on view tasker.event_effects is
  'Row type: the effect of an event on the tasks of a template.';
comment on column tasker.event_effects.action is
  'start or cancel.';
comment on column tasker.event_effects.outcome is
  'starts or cancels a task; exists: the identity key has a task, and nothing is started; no_task: the identity key has no open task of this version; other_key, other_payload: the template does not ask for such an event.';
comment on column tasker.event_effects.problem is
  'The reason why the event would be refused. Null if it would be accepted.';
