create or replace view tasker.feed_keys as
select
  '-infinity'::timestamptz as created_at,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  0::integer as sort_key
where false;

comment on view tasker.feed_keys is
  'Row type: the key of a transition in the feed. Events are delivered in the order of this key. step_no is 0 for a transition of the task itself, and sort_key is 0 for the creation.';
