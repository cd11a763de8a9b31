create or replace view tasker.template_problems as
select
  ''::text as path,
  ''::text as problem,
  null::text as hint
where false;

comment on view tasker.template_problems is
  'Row type: a problem of a template.';
comment on column tasker.template_problems.path is
  'The place, for example steps[2].retry.max_attempts, counted from 0. Empty for the template as a whole.';
