create domain tasker.backoff_limit as integer
  constraint backoff_limit_check
    check (value >= 0);

comment on domain tasker.backoff_limit is
  'The longest wait between two attempts, in seconds.';
