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
  'start or cancel: the list of the template (start_on or cancel_on) that names the event.';
comment on column tasker.event_effects.outcome is
  'starts: the event starts a task; cancels: the event cancels a task; exists: a task with the identity key exists already, so that the event starts none; no_task: no open task of this version has the identity key; other_key, other_payload: the template asks for another key or another payload.';
comment on column tasker.event_effects.problem is
  'The reason why the event would be refused. Null if it would be accepted.';
