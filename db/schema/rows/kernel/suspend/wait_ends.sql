create or replace view tasker.wait_ends as
select
  null::timestamptz as due_at,
  null::text as ended_by,
  null::text as problem
where false;

comment on view tasker.wait_ends is
  'Row type: the time at which a wait ends, and the kind of that end: "for", "until" or "timeout". All columns are null if only a signal ends the wait.';
comment on column tasker.wait_ends.problem is
  'The reason why the time of an "until" or the key of an event cannot be read from the context. Then the wait ends at once and its step fails.';
