create or replace view tasker.range_holds as
select
  ''::text as kind,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid
where false;

comment on view tasker.range_holds is
  'Row type: a task that holds its range, and why: open, investigated, noted or young.';
