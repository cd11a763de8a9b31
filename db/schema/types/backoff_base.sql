create domain tasker.backoff_base as numeric
  constraint backoff_base_check
    check (value > 0);

comment on domain tasker.backoff_base is
  'The wait before the first retry, in seconds. Waits before later retries are multiples of it.';
