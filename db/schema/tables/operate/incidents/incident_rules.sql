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
  'The rules for the severity of incidents: one row for each measure of a kind of incident. tasker.judge_incidents applies these rules, and all functions that show incidents use its results.';
comment on column tasker.incident_rules.measure is
  'The measured figure that the rule compares, in words.';
comment on column tasker.incident_rules.look_at is
  'The value from which a person should look today. Null if the rule has no such value.';
comment on column tasker.incident_rules.act_at is
  'The value from which a person should act now. Null if the rule has no such value.';
comment on column tasker.incident_rules.at_least is
  'The smallest number of failures, or of seconds, at which the rule compares the share.';
comment on column tasker.incident_rules.times_usual is
  'The factor by which the measure must exceed its usual value. Null if the measure has no usual value.';
comment on column tasker.incident_rules.in_a_row is
  'The number of consecutive judgements that must exceed the threshold before the incident is raised.';
comment on column tasker.incident_rules.clears_after is
  'The time for which the measure must stay below the threshold before the incident becomes less severe or ends.';
