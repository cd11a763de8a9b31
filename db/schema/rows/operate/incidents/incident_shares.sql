create or replace view tasker.incident_shares as
select
  ''::text as dimension,
  ''::text as value,
  0::bigint as failures,
  0::double precision as failed_share,
  0::bigint as attempts,
  0::double precision as attempted_share,
  null::timestamptz as first_at
where false;

comment on view tasker.incident_shares is
  'Row type: the number of failures of a cause that belong to a version, a worker or a tenant, and its number of attempts of the handler, for a comparison of the shares.';
comment on column tasker.incident_shares.dimension is
  'version, worker or tenant. The dimension tenant exists only if the setting tenant gives the place in a task that names its tenant.';
comment on column tasker.incident_shares.value is
  'The version that the worker''s program reports, the name of the worker, or the tenant. "unknown" if the value is missing.';
comment on column tasker.incident_shares.failures is
  'The number of steps that are failed or wait for another attempt. At most 2,000 steps are counted, those of the newest tasks.';
comment on column tasker.incident_shares.attempts is
  'The number of results of the handler in the period before the newest failure. The period is so long that all handlers together had about 2,000 results in it.';
comment on column tasker.incident_shares.first_at is
  'The time when the first worker with the version and the handler registered. Null if the version is older than a week or not known, or if the dimension is not the version.';
