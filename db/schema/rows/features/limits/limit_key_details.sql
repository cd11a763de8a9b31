create or replace view tasker.limit_key_details as
select
  ''::text as limit_key,
  0::bigint as in_use,
  0::bigint as waiting,
  0::double precision as oldest_seconds,
  null::timestamptz as next_start_at,
  null::integer as concurrency,
  null::integer as rate,
  0::integer as per_seconds,
  0::integer as burst,
  false::boolean as own_bounds,
  null::timestamptz as bounded_at,
  null::text as bounded_by,
  null::integer as input_bound
where false;

comment on view tasker.limit_key_details is
  'Row type: a key of a limit, its bounds, and its steps.';
comment on column tasker.limit_key_details.next_start_at is
  'The time when the rate allows the next start. Null if a step may start now, or if the key has no rate.';
comment on column tasker.limit_key_details.concurrency is
  'The number of the key''s steps that may run at once. Null means any number.';
comment on column tasker.limit_key_details.rate is
  'The number of the key''s steps that may start in per_seconds. Null means any number.';
comment on column tasker.limit_key_details.own_bounds is
  'Whether tasker.set_limit_key gave the key bounds of its own. If false, the bounds of the limit apply, but input_bound replaces the concurrency if it is not null.';
comment on column tasker.limit_key_details.bounded_at is
  'The time when the key''s own bounds were last changed. bounded_by names the caller that changed them. Null if the key has no bounds of its own.';
comment on column tasker.limit_key_details.input_bound is
  'The bound that the context of a task gave the key (limit_bound). This bound does not apply if the key has bounds of its own, or if the limit''s concurrency is 0. Null if no context gave the key a bound.';
