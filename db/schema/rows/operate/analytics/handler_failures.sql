create or replace view tasker.handler_failures as
select
  '-infinity'::timestamptz as bucket_start,
  ''::text as handler,
  0::bigint as results,
  0::bigint as failures
where false;

comment on view tasker.handler_failures is
  'Row type: the failures of a handler in one period.';
comment on column tasker.handler_failures.results is
  'The number of results of the handler, including failures, in the templates in which it failed.';
