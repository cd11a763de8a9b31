create or replace view tasker.stream_answers as
select
  'saved'::tasker.lease_answer as answer,
  null::bigint as last_no
where false;

comment on view tasker.stream_answers is
  'Row type: the answer to a step that appends to a stream or sets a value.';
comment on column tasker.stream_answers.last_no is
  'The number of the newest item, or of the change of the value. Null unless the answer is saved.';
