create domain tasker.worker_name as text
  constraint worker_name_check
    check (length(value) between 1 and 200);

comment on domain tasker.worker_name is
  'The name of a worker. The type is a domain, because each exchange updates the worker''s row, and PostgreSQL reads the check of a table in each statement that writes.';
