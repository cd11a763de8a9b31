create domain tasker.log_duration as bigint
  constraint log_duration_check
    check (value >= 0);

comment on domain tasker.log_duration is
  'A time of execution in milliseconds, as the step log has it. A domain, because PostgreSQL reads the check of a domain once in a session, and the check of a table in each statement.';
