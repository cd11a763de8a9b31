create or replace trigger erasures_refuse_change
  before update or delete on tasker.erasures
  for each row execute function tasker.refuse_log_change('erasures');

create or replace trigger erasures_no_truncate
  before truncate on tasker.erasures
  for each statement execute function tasker.refuse_log_change('erasures');

create or replace trigger erasures_log_change
  after insert or update or delete on tasker.erasures
  for each row execute function tasker.log_administration();

create or replace trigger erasures_log_truncate
  after truncate on tasker.erasures
  for each statement execute function tasker.log_administration();

comment on trigger erasures_refuse_change on tasker.erasures is
  'Refuses, with TK403, every change of a row.';
comment on trigger erasures_no_truncate on tasker.erasures is
  'Refuses, with TK403, to truncate the table.';
comment on trigger erasures_log_change on tasker.erasures is
  'Writes tasker.administration_log.';
comment on trigger erasures_log_truncate on tasker.erasures is
  'Writes tasker.administration_log.';
