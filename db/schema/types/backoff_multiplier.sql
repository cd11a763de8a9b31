create domain tasker.backoff_multiplier as numeric
  constraint backoff_multiplier_check
    check (value >= 1);

comment on domain tasker.backoff_multiplier is
  'The factor by which the wait grows with each further attempt.';
