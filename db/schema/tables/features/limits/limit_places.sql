create table tasker.limit_places (
  task_uuid   uuid     not null,
  step_no     integer  not null,
  limit_no    integer  not null,
  limit_key   text     not null,
  units       integer  not null,
  whole_run   boolean  not null,
  held_units  integer  not null  default 0,

  constraint limit_places_pkey
    primary key (task_uuid, step_no, limit_no)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);

create index limit_places_held_idx
  on tasker.limit_places (limit_no, limit_key)
  where held_units > 0;

comment on index tasker.limit_places_held_idx is
  'Serves claims: the places of a key that steps hold in addition to the places of running queue rows.';

comment on table tasker.limit_places is
  'The places of steps with several limits, with units, or with places for a whole run: one row for each limit of a step. The row exists from the time when the step is enqueued until the step ends. Other steps have no rows here.';
comment on column tasker.limit_places.units is
  'The number of places that the step takes.';
comment on column tasker.limit_places.whole_run is
  'Whether the step keeps its places during retries, sleeps and waits until it ends. If false, the step gives the places back at the end of each claim.';
comment on column tasker.limit_places.held_units is
  'The units that the step holds now. The unit of the running queue row itself is not among these units.';
