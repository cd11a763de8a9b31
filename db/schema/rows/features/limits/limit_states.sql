create or replace view tasker.limit_states as
select
  0::integer as place,
  0::integer as limit_no,
  ''::text as limit_key,
  0::integer as version,
  null::integer as concurrency,
  0::bigint as running,
  null::bigint as interval_us,
  0::integer as burst,
  0::bigint as ahead_us,
  0::integer as free,
  0::integer as taken,
  false::boolean as with_places
where false;

comment on view tasker.limit_states is
  'Row type: a key that a claim has locked, the number of its running steps, and how many more steps may start.';
comment on column tasker.limit_states.interval_us is
  'The time between two consecutive starts at an even rate, in microseconds. Null without a rate.';
comment on column tasker.limit_states.ahead_us is
  'The number of microseconds from now to the key''s paid_until.';
