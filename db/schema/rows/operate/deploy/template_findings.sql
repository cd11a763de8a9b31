create or replace view tasker.template_findings as
select
  ''::text as kind,
  ''::text as status,
  null::text as version,
  null::text as step,
  null::text as handler,
  0::bigint as tasks,
  ''::text as finding,
  '{}'::jsonb as detail
where false;

comment on view tasker.template_findings is
  'Row type: a finding about a version of a template that is to be deployed.';
comment on column tasker.template_findings.kind is
  'problem, content, types, open_tasks, vanished_step, condition, no_handler, input, fork or bound.';
comment on column tasker.template_findings.status is
  'ok, warn, or fail if the version cannot be registered.';
comment on column tasker.template_findings.version is
  'The registered version that the finding is about. Null for the version that is to be deployed.';
comment on column tasker.template_findings.tasks is
  'The number of open tasks that the finding is about, among the tasks that were read.';
