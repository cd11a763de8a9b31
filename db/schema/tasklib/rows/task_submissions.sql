create or replace view tasklib.task_submissions as
select
  0::integer as position,
  '00000000-0000-0000-0000-000000000000'::uuid as id,
  false::boolean as created
where false;

comment on view tasklib.task_submissions is
  'Row type: the answer to one submission. The column "created" is false if an earlier submission with the same deduplication key created the task.';
