create or replace view tasker.retention_details as
select
  ''::text as namespace,
  null::text as template,
  ''::text as keep_for,
  '-infinity'::timestamptz as set_at,
  ''::text as set_by
where false;

comment on view tasker.retention_details is
  'Row type: how long the tasks of a namespace or of a template are kept.';
comment on column tasker.retention_details.template is
  'Null for all templates of the namespace that have no retention of their own.';
comment on column tasker.retention_details.keep_for is
  'How long a task is kept after the end of its range, as PostgreSQL writes an interval.';
