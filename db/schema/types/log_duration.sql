create domain tasker.log_duration as bigint
  constraint log_duration_check
    check (value >= 0);

comment on domain tasker.log_duration is
  'An execution time in milliseconds in the step log. The type is a domain, because PostgreSQL reads the check of a domain once in a session, but the check of a table in each statement.';
