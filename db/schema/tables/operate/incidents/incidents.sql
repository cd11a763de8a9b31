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
  'Serves the list of open incidents, and a judgement of one kind, without reading ended incidents.';

comment on table tasker.incidents is
  'Incidents as tasker.judge_incidents last judged them: open incidents, and ended incidents for a week.';
comment on column tasker.incidents.severity is
  '0: measured, not raised yet. 1: for information, 2: look today, 3: act now.';
comment on column tasker.incidents.measured is
  'The severity of the newest measure alone, without the judgements before it.';
comment on column tasker.incidents.in_a_row is
  'The number of judgements in a row that measured more than the severity.';
comment on column tasker.incidents.above_at is
  'The newest judgement that measured at least the severity.';
comment on column tasker.incidents.entries is
  'The number of steps, tasks, entries or workers that the incident concerns. All steps that stand failed are counted. Other objects are counted up to 10,001.';
