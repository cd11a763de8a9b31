create table tasker.maintenance_duties (
  duty              text         not null,
  position          smallint     not null,
  interval_setting  text         not null,
  description       text         not null,
  worker_duty       boolean      not null  default false,
  runs              bigint       not null  default 0,
  failures          bigint       not null  default 0,
  more_due          boolean      not null  default false,
  last_started_at   timestamptz,
  last_finished_at  timestamptz,
  last_done         bigint,
  last_detail       text,
  last_error        text,

  constraint maintenance_duties_pkey
    primary key (duty),
  constraint maintenance_duties_position_key
    unique (position),
  constraint maintenance_duties_interval_setting_fkey
    foreign key (interval_setting) references tasker.settings (name)
);

create index maintenance_duties_interval_setting_idx
  on tasker.maintenance_duties (interval_setting);

comment on index tasker.maintenance_duties_interval_setting_idx is
  'Serves the foreign key to settings.';

comment on table tasker.maintenance_duties is
  'The maintenance duties, with the interval and the last outcome of each.';
comment on column tasker.maintenance_duties.worker_duty is
  'Whether workers also do the duty (tasker.do_duties). Such a duty deletes nothing and moves no task.';
comment on column tasker.maintenance_duties.last_done is
  'The amount of work that the duty did: partitions created, tasks moved, and so on. Null if the duty failed or had nothing to count.';
comment on column tasker.maintenance_duties.last_detail is
  'Details of the last run, such as the ranges that were not dropped and why, or the table that was analyzed.';
comment on column tasker.maintenance_duties.more_due is
  'Whether more work remained than one transaction should do. If so, the duty is due again at once, after all other duties.';
comment on column tasker.maintenance_duties.last_error is
  'The error of the last run. Null if the duty succeeded.';
