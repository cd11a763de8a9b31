create or replace view tasker.sampled_attempts as
select
  ''::text as version,
  ''::text as worker,
  null::text as tenant
where false;

comment on view tasker.sampled_attempts is
  'Row type: an attempt of a step, with its version, its worker and its tenant.';
