create domain tasker.backoff_base as numeric
  constraint backoff_base_check
    check (value > 0);

comment on domain tasker.backoff_base is
  'The wait before a first retry, in seconds, before it is multiplied.';
