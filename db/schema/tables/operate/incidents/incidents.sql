create table tasker.incidents (
  incident     text         not null,
  kind         text         not null,
  rule         text         not null,
  namespace    text,
  subject      text         not null,
  what         text         not null,
  severity     smallint     not null,
  measured     smallint     not null,
  in_a_row     smallint     not null  default 0,
  since        timestamptz  not null,
  above_at     timestamptz  not null,
  judged_at    timestamptz  not null,
  ended_at     timestamptz,
  entries      bigint       not null  default 0,
  figures      jsonb        not null  default '{}',

  constraint incidents_pkey
    primary key (incident),
  constraint incidents_kind_fkey
    foreign key (kind, rule) references tasker.incident_rules (kind, rule),
  constraint incidents_severity_check
    check (severity between 0 and 3 and measured between 0 and 3)
);

create index incidents_kind_idx
  on tasker.incidents (kind, rule);

create index incidents_open_idx
  on tasker.incidents (kind, severity, since)
  where ended_at is null;

comment on index tasker.incidents_kind_idx is
  'Serves the foreign key to incident_rules.';
comment on index tasker.incidents_open_idx is
  'Serves the list of open incidents, and the judgement of the incidents of one kind, without reading ended incidents.';

comment on table tasker.incidents is
  'Incidents with the severity that tasker.judge_incidents last gave them. Ended incidents are kept for a week.';
comment on column tasker.incidents.severity is
  'The severity. 0: measured but not raised yet; 1: for information; 2: look today; 3: act now.';
comment on column tasker.incidents.measured is
  'The severity that the newest measure alone would give, without regard to earlier judgements.';
comment on column tasker.incidents.in_a_row is
  'The number of consecutive judgements that measured a higher severity than the column severity has.';
comment on column tasker.incidents.above_at is
  'The time of the newest judgement that measured at least the present severity.';
comment on column tasker.incidents.entries is
  'The number of steps, tasks, entries or workers that the incident concerns. All failed steps are counted. The count of other objects stops at 10,001.';
