-- down: nothing
-- As in triggers/always.sql: the guards also fire on a replica.
alter table tasker.erasures
  enable always trigger erasures_refuse_change,
  enable always trigger erasures_no_truncate,
  enable always trigger erasures_log_change,
  enable always trigger erasures_log_truncate;
