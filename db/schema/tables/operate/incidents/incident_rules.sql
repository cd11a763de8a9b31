create table tasker.incident_rules (
  kind          text      not null,
  rule          text      not null,
  position      smallint  not null,
  measure       text      not null,
  unit          text      not null,
  look_at       numeric,
  act_at        numeric,
  at_least      numeric,
  times_usual   numeric,
  in_a_row      smallint  not null  default 1,
  clears_after  interval  not null  default '0',
  next_step     text      not null,

  constraint incident_rules_pkey
    primary key (kind, rule),
  constraint incident_rules_position_key
    unique (position),
  constraint incident_rules_in_a_row_check
    check (in_a_row between 1 and 10)
);

comment on table tasker.incident_rules is
  'The rules for the severity of incidents: one row for each measure of a kind. tasker.judge_incidents reads these rules, and everything that shows incidents uses its judgements.';
comment on column tasker.incident_rules.measure is
  'The figure that is compared, in words.';
comment on column tasker.incident_rules.look_at is
  'The value from which a person should look today. Null if the rule has no such value.';
comment on column tasker.incident_rules.act_at is
  'The value from which a person should act now. Null if the rule has no such value.';
comment on column tasker.incident_rules.at_least is
  'The smallest number of failures, or seconds, from which the share counts.';
comment on column tasker.incident_rules.times_usual is
  'The measure must be above its usual value by this factor. Null if the measure has no usual value.';
comment on column tasker.incident_rules.in_a_row is
  'The number of judgements in a row that must exceed the threshold before the incident is raised.';
comment on column tasker.incident_rules.clears_after is
  'The time for which the measure must stay below the threshold before the incident falls or ends.';
