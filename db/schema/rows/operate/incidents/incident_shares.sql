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
  'Row type: the share that a version, a worker or a tenant has of the failures of a cause, beside its share of all attempts of the handler.';
comment on column tasker.incident_shares.dimension is
  'version, worker or tenant. tenant: only if the setting tenant says where a task names it.';
comment on column tasker.incident_shares.value is
  'The version that the worker''s program reports, the name of the worker, or the tenant. "unknown" if the value is missing.';
comment on column tasker.incident_shares.failures is
  'Steps that stand failed or are tried again, at most the 2,000 of the newest tasks.';
comment on column tasker.incident_shares.attempts is
  'Results of the handler in the time before the newest failure in which all handlers had about 2,000.';
comment on column tasker.incident_shares.first_at is
  'The time when the first worker with the version and the handler registered. Null if the version is older than a week or not known, or if the dimension is not the version.';
