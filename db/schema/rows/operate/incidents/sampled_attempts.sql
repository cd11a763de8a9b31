create or replace view tasker.sampled_attempts as
select
  ''::text as version,
  ''::text as worker,
  null::text as tenant
where false;

comment on view tasker.sampled_attempts is
  'Row type: an attempt of a step by the version, the worker and the tenant that it belongs to.';
