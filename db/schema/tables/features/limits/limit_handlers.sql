create table tasker.limit_handlers (
  handler          text     not null,
  limit_no         integer  not null,
  named_step_uuid  uuid     not null,

  constraint limit_handlers_pkey
    primary key (handler, limit_no),
  constraint limit_handlers_limit_no_fkey
    foreign key (limit_no) references tasker.limits (limit_no),
  constraint limit_handlers_named_step_uuid_fkey
    foreign key (named_step_uuid) references tasker.named_steps (named_step_uuid)
);

create index limit_handlers_limit_idx
  on tasker.limit_handlers (limit_no);
create index limit_handlers_handler_idx
  on tasker.limit_handlers (named_step_uuid);

comment on index tasker.limit_handlers_limit_idx is
  'Serves the foreign key to limits and the search for the handlers of a limit.';
comment on index tasker.limit_handlers_handler_idx is
  'Serves the foreign key to named_steps.';

comment on table tasker.limit_handlers is
  'The handlers of steps that name a limit. A claim for other handlers does not read limits.';
