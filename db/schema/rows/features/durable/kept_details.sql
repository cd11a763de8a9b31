create or replace view tasker.kept_details as
select
  0::integer as position,
  ''::text as name,
  0::integer as occurrence,
  null::jsonb as value,
  null::text as error,
  '-infinity'::timestamptz as kept_at
where false;

comment on view tasker.kept_details is
  'Row type: a result that a durable function has kept.';
comment on column tasker.kept_details.error is
  'The error that was kept instead of a value.';
