create or replace view tasker.unserved_steps as
select
  ''::text as namespace,
  ''::text as handler,
  null::text as nearest,
  '-infinity'::timestamptz as ready_since,
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid
where false;

comment on view tasker.unserved_steps is
  'Row type: a handler that no running worker has, although steps for it are ready in a namespace.';
comment on column tasker.unserved_steps.nearest is
  'The handler of a running worker whose name is most similar. Null if no name is similar.';
comment on column tasker.unserved_steps.step_uuid is
  'The step that has been ready longest. It has been ready since ready_since.';
