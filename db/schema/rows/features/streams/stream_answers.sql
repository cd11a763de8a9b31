create or replace view tasker.stream_answers as
select
  'saved'::tasker.lease_answer as answer,
  null::bigint as last_no
where false;

comment on view tasker.stream_answers is
  'Row type: the answer to a call with which a step appends to a stream or sets a value.';
comment on column tasker.stream_answers.last_no is
  'The number of the newest item of the stream, or of the newest change of the value. Null unless the answer is "saved".';
