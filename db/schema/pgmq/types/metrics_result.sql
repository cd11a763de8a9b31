-- down: nothing
create type tasker_pgmq.metrics_result as (
  queue_name            text,
  queue_length          bigint,
  newest_msg_age_sec    integer,
  oldest_msg_age_sec    integer,
  total_messages        bigint,
  scrape_time           timestamptz,
  queue_visible_length  bigint
);

comment on type tasker_pgmq.metrics_result is
  'The figures of a queue. The age of a message counts from the time when it was sent, even if it became visible later.';
