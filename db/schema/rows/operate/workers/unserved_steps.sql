create or replace view tasker.unserved_steps as
select
  ''::text as namespace,
  ''::text as handler,
  null::text as nearest,
  '-infinity'::timestamptz as ready_since,
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid
where false;

comment on view tasker.unserved_steps is
  'Row type: a handler for which steps are ready in a namespace, and which no running worker has.';
comment on column tasker.unserved_steps.nearest is
  'The most similar handler of a running worker, null if none is similar.';
comment on column tasker.unserved_steps.step_uuid is
  'The step that has been ready longest, since ready_since.';
