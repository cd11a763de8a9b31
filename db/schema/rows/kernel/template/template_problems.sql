create or replace view tasker.template_problems as
select
  ''::text as path,
  ''::text as problem,
  null::text as hint
where false;

comment on view tasker.template_problems is
  'Row type: a problem of a template.';
comment on column tasker.template_problems.path is
  'The place of the problem in the template, for example steps[2].retry.max_attempts, where indexes count from 0. Empty if the problem concerns the whole template.';
