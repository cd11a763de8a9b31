create domain tasker.worker_version as text
  constraint worker_version_check
    check (length(value) between 1 and 100);

comment on domain tasker.worker_version is
  'The version of a worker''s program. The type is a domain for the same reason as tasker.worker_name.';
