create table tasker.incident_acknowledgements (
  incident         text         not null,
  namespaces       text[],
  severity         smallint     not null,
  acknowledged_at  timestamptz  not null,
  acknowledged_by  text         not null,
  until            timestamptz,
  reason           text,

  constraint incident_acknowledgements_pkey
    primary key (incident),
  constraint incident_acknowledgements_severity_check
    check (severity between 1 and 3)
);

comment on table tasker.incident_acknowledgements is
  'Incidents that a person has acknowledged. Such an incident is shown only for information until the given time, until it ends or until it becomes more severe.';
comment on column tasker.incident_acknowledgements.namespaces is
  'The namespace of the incident. Null if the incident concerns the whole database.';
comment on column tasker.incident_acknowledgements.severity is
  'The severity that was acknowledged. An incident with a higher severity is shown again.';
